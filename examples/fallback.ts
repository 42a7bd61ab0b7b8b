// A route: the first agent fails in the middle of a turn, and another agent finishes the same turn.
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createReins } from "reins";

// In practice: agent "claude" with fallback ["codex"]. Here an agent of our own takes over from the demo agent.
const echo = `acp:"${process.execPath}" "${join(import.meta.dirname, "echo-agent.mjs")}"`;

const reins = createReins();
try {
  const session = await reins.session({
    agent: "demo",
    fallback: [echo],
    cwd: await mkdtemp(join(tmpdir(), "reins-")),
    onPermission: () => "allow",
  });

  // The demo agent writes a file and then fails as an overloaded service would.
  const turn = session.prompt("write notes.txt Hello; fail overloaded");
  for await (const event of turn) {
    if (event.type === "file.changed") console.log(`${event.agent} changed ${event.path}`);
    if (event.type === "agent.switched") console.log(`${event.from} failed (${event.reason}), the next agent goes on`);
  }

  // The next agent got a briefing: the request, what was done so far, and which files changed.
  const { outcome, filesChanged, text } = await turn.result;
  console.log(`${outcome}, changed: ${filesChanged.join(", ")}\n${text}`);
} finally {
  await reins.close();
}
