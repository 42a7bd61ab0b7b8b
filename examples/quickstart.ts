import { createReins } from "reins";

const reins = createReins();
const turn = reins.run("run echo Hello from Reins; say All done.", {
  agent: "demo", // or "claude", "codex", "gemini"; without it, the first agent that is ready
  onPermission: ({ tool }) => (tool === "shell" ? "allow" : "deny"),
});
for await (const event of turn) {
  if (event.type === "tool.completed") console.log(event.output?.text);
  if (event.type === "message.delta") process.stdout.write(event.text);
}
console.log(`\nTo continue: resume: "${(await turn.result).state}"`);
await reins.close();
