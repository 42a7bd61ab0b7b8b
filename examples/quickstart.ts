import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createReins } from "reins";

const reins = createReins();
try {
  const session = await reins.session({
    agent: "demo", // needs no account; use "claude" for Claude Code, or omit it to use the first ready agent
    cwd: await mkdtemp(join(tmpdir(), "reins-")),
    onPermission(request) {
      console.log(`Allowed: ${request.title}`);
      return "allow";
    },
  });

  const turn = session.prompt("write hello.txt Hello from Reins; read hello.txt; say All done.");
  for await (const event of turn) {
    if (event.type === "message.delta") process.stdout.write(event.text);
    if (event.type === "message.completed") console.log();
    if (event.type === "file.changed") console.log(`${event.op} ${event.path}\n${event.diff ?? ""}`);
  }

  const { outcome, toolCalls, state } = await turn.result;
  console.log(`${outcome} after ${toolCalls} tool calls`);
  console.log(`go on later with resume: ${state}`);
} finally {
  await reins.close();
}
