/** A Reins that is killed in the middle of a tool: `node victim.ts <prompt>`. It says the state of its session when the tool runs. */
import { createReins } from "../../../../src/index.ts";

const reins = createReins();
const session = await reins.session({ agent: "native", mode: "full" });
for await (const event of session.prompt(process.argv[2] ?? ""))
  if (event.type === "tool.progress") process.stdout.write(`${session.state}\n`);
