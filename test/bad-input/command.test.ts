/** Agents that misbehave, seen from the command line: one sentence, an exit code, no stack trace, no process left. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { standIn, type StandInKind, type StandInOptions } from "../stand-ins/stand-in.ts";
import { type CommandResult, Place } from "../support/command.ts";
import { nothingLeft } from "../support/leftovers.ts";
import { shellScript } from "../support/processes.ts";

const answer = "I am a stand-in.\n";

/** Runs the command with a Claude Code that `make` put into the home. */
async function runWith(make: (home: string) => string, ...args: string[]): Promise<CommandResult> {
  using place = new Place();
  const env = { REINS_CLAUDE_COMMAND: make(place.home) };
  const result = await place.run(["run", "-a", "claude", ...args, "hello"], { env });
  await nothingLeft(place.home);
  expect(result.stderr).not.toMatch(/^ {4}at |Error:|\[object/m);
  return result;
}

describe.concurrent("reins run", () => {
  const failures: [string, (home: string) => string, number, string, RegExp][] = [
    ["is missing", (home) => join(home, "missing"), 3, "", /^reins: Claude Code was not found \(.+\)\.\n.+\n$/],
    ["is not executable", stand("not-executable"), 3, "", /^reins: .+ is not executable\.\n.+\n$/],
    ["exits at once", stand("exits"), 1, "", /^reins: Claude Code ended without a result\.\n$/],
    [
      "prints an error on stderr",
      (home) => shellScript(home, "claude", "echo 'error: unknown option --verbose' >&2; exit 1"),
      2,
      "",
      /^reins: unknown option --verbose\n/,
    ],
    [
      "prints garbage and exits",
      (home) => shellScript(home, "claude", "echo garbage"),
      1,
      "",
      /^reins: Claude Code printed something that is not its protocol and ended\.\n.+\n$/,
    ],
    ["is a text file", textFile, 3, "", /^reins: Claude Code .+\n/],
    ["exits in a turn", stand("exits-mid-turn"), 1, answer, /^reins: Claude Code ended without a result\.$/m],
    ["crashes in a turn", stand("crashes-mid-turn"), 1, answer, /^reins: Claude Code was ended by SIGKILL\.$/m],
  ];
  test.each(failures)("fails when the agent %s", async (_what, make, code, stdout, stderr) => {
    const result = await runWith(make);
    expect(result.stderr).toMatch(stderr);
    expect(result).toMatchObject({ code, stdout });
    expect(result.stderr.match(/^reins: /gm)).toHaveLength(1);
  });

  test.each(["answers-twice", "floods", "leaves-child", "leaves-setsid-child"] as const)(
    "works with an agent that %s",
    async (kind) => {
      const result = await runWith(stand(kind, { flood: { count: 1_000, bytes: 1_000 } }));
      expect(result).toMatchObject({ code: 0, stdout: answer });
      expect(result.stderr).not.toMatch(/^reins: /m);
    },
  );

  test("gives up after the time limit when an agent prints nothing in a turn", async () => {
    const replies = [
      {
        on: '"control_request"',
        print: [{ type: "control_response", response: { subtype: "success", request_id: "$id", response: {} } }],
      },
    ];
    const result = await runWith(stand("good", { replies }), "--max-quiet", "1");
    expect(result).toMatchObject({ code: 1, stdout: "" });
    expect(result.stderr).toMatch(/^reins: Claude Code said nothing for \d+ seconds?\.$/m);
  });
});

function stand(kind: StandInKind, options: StandInOptions = {}): (home: string) => string {
  return (home) => standIn(kind, { folder: home, ...options });
}

function textFile(home: string): string {
  const path = join(home, "claude");
  writeFileSync(path, "Just some words.\n", { mode: 0o755 });
  return path;
}
