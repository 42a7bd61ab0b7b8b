/** Invalid choices are refused before anything starts, with one sentence that says what to do. */
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Reins, SessionOptions } from "../../src/core/api.ts";
import { createReins } from "../../src/core/reins.ts";
import { type ErrorCode, isReinsError, type ReinsError } from "../../src/events/errors.ts";
import { standIn } from "../stand-ins/stand-in.ts";
import { nothingLeft, processesOf } from "../support/leftovers.ts";

const uuid = "00000000-0000-4000-8000-000000000000";

let home: string;
let cwd: string;
let reins: Reins;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "reins-choices-"));
  cwd = join(home, "work");
  mkdirSync(cwd);
  writeFileSync(join(home, "file"), "");
  // A working Claude Code stand-in, so that nothing is refused only because the program is missing.
  const claude = standIn("good", { folder: home });
  reins = createReins({
    env: { PATH: process.env["PATH"], HOME: home, REINS_HOME: home, REINS_CLAUDE_COMMAND: claude },
  });
});
afterEach(async () => {
  await reins.close();
  await nothingLeft(home);
  rmSync(home, { recursive: true, force: true });
});

const cases: [string, SessionOptions, ErrorCode, RegExp, RegExp?][] = [
  ["an unknown agent", { agent: "no-such" }, "invalid_input", /^There is no agent no-such\.$/, /demo/],
  ["a misspelled agent", { agent: "cluade" }, "invalid_input", /^There is no agent cluade\.$/, /mean claude\?$/],
  ["an agent named like a property", { agent: "__proto__" }, "invalid_input", /^There is no agent __proto__\.$/],
  ["an invalid language tag", { agent: "demo", locale: "de_DE" }, "invalid_input", /^"de_DE" is not the tag/, /pt-BR/],
  ["an empty agent", { agent: "" }, "invalid_input", /^There is no agent\b.*\.$/],
  ["an agent that is not a string", { agent: 7 as never }, "invalid_input", /^There is no agent 7\.$/],
  [
    "a missing folder",
    { agent: "demo", cwd: "/no/where" },
    "invalid_input",
    /^The folder \/no\/where does not exist\.$/,
  ],
  ["a file as folder", { agent: "demo", cwd: "file" }, "invalid_input", /\/file is not a folder\.$/],
  ["a folder with a NUL character", { agent: "demo", cwd: "a\0b" }, "invalid_input", /^.+\.$/],
  ["a model no agent serves", { model: "frobnicator" }, "model_unknown", /^No agent .+ model frobnicator\.$/, /agent/],
  [
    "a model of another agent",
    { agent: "demo", model: "opus" },
    "model_unknown",
    /^.+ no model \S*opus\S*\.$/,
    /scripted/,
  ],
  ["an unknown mode", { agent: "demo", mode: "yolo" as never }, "invalid_input", /^There is no mode yolo\.$/, /ask/],
  ["an unknown state", { resume: "garbage" }, "session_not_found", /^This state cannot be resumed here: .+\.$/],
  ["an empty state", { resume: "" }, "session_not_found", /^This state cannot be resumed here: .+\.$/],
  [
    "a state of another agent",
    { agent: "demo", resume: `claude:1:${uuid}` },
    "session_not_found",
    /^This state cannot be resumed here: it belongs to Claude Code\.$/,
    /agent claude/,
  ],
  [
    "the demo's state for Claude",
    { agent: "claude", resume: `demo:1:${uuid}:3` },
    "session_not_found",
    /^This state cannot be resumed here: it belongs to .+\.$/,
    /agent demo/,
  ],
  [
    "Claude's state of another version",
    { resume: `claude:2:${uuid}` },
    "session_not_found",
    /another version of Reins/,
  ],
  ["a damaged state of Claude", { resume: "claude:1:not-an-id" }, "session_not_found", /damaged/],
  ["a state that is a flag", { resume: "claude:1:--dangerous" }, "session_not_found", /damaged/],
  ["the demo's state of another version", { resume: `demo:9:${uuid}:3` }, "session_not_found", /another version/],
];

describe("a session", () => {
  test.each(cases)("with %s is refused", async (_what, options, code, message, help) => {
    const given = options.cwd === "file" ? join(home, "file") : (options.cwd ?? cwd);
    const wanted = { ...options, cwd: given };
    const error = await rejection(reins.session(wanted));
    expect(error.code).toBe(code);
    expect(error.message).toMatch(message);
    if (help !== undefined) expect(error.help).toMatch(help);
    // `run` fails with the same message, and no process was ever started.
    expect((await rejection(reins.run("hello", wanted).result)).message).toBe(error.message);
    expect(processesOf(home)).toEqual([]);
    expect(readdirSync(home).toSorted()).toEqual(["file", "good", "work"]);
  });

  test("with an invalid configuration is refused", async () => {
    mkdirSync(join(cwd, ".reins"));
    for (const text of ["{", "[]", '{ "mode": "yolo" }', '{ "agent": 7 }']) {
      writeFileSync(join(cwd, ".reins", "config.json"), text);
      const error = await rejection(reins.session({ agent: "demo", cwd }));
      expect(error).toMatchObject({ code: "invalid_input", help: "Correct it or remove it." });
      expect(error.message).toMatch(/^The configuration .+config\.json cannot be used: [^\n]+$/);
    }
  });
});

async function rejection(promise: Promise<unknown>): Promise<ReinsError> {
  try {
    await promise;
  } catch (thrown) {
    if (isReinsError(thrown)) return thrown;
    throw thrown;
  }
  return expect.fail("The session was not refused.");
}
