/** A complete agent over a recording: its driver, its folder and the core use the replay instead of the program. */
import { fileURLToPath } from "node:url";
import { tmpdir } from "node:os";
import { expect, test } from "vitest";
import { expectLawful } from "../../../test/support/lawful.ts";
import { agentEntries } from "../../agents/index.ts";
import type { ReinsEvent } from "../../events/types.ts";
import { createReins } from "../../index.ts";
import { replayAgent } from "./replay.ts";

const fixture = (name: string) =>
  fileURLToPath(new URL(`../../../test/fixtures/claude/captures.recordings/${name}.ndjson`, import.meta.url));

test("replays a recorded permission and answers it", async () => {
  const entry = agentEntries.find(({ id }) => id === "claude")!;
  const run = ([first]: readonly string[]) => ({ stdout: first === "--version" ? "2.1.325 (Claude Code)" : "{}" });
  // The agent checks that its program exists; the replay then starts none.
  const env = { ...process.env, REINS_CLAUDE_COMMAND: process.execPath };
  const agents = [replayAgent(entry, fixture("perm_allow"), { run })];
  await using reins = createReins({ guardian: false, env, agents });
  const asked: string[] = [];
  const session = await reins.session({
    agent: "claude",
    cwd: tmpdir(),
    onPermission: (request) => {
      asked.push(request.title);
      return "allow";
    },
  });
  const turn = session.prompt("Whatever was recorded.");
  const events: ReinsEvent[] = [];
  for await (const event of turn) events.push(event);
  expect((await turn.result).outcome).toBe("done");
  expect(asked).toEqual(["Run touch allowed.txt"]);
  expectLawful(events);
});
