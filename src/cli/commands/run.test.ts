import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { bin, Place } from "../../../test/support/command.ts";
import { reinsEventSchema } from "../../events/schema/index.ts";

let place: Place;
beforeEach(() => {
  place = new Place();
});
afterEach(() => place[Symbol.dispose]());

const demo = (...args: string[]): string[] => ["run", "-a", "demo", ...args];

describe("output", () => {
  it("has the agent's text on stdout and everything else on stderr", async () => {
    const { code, stdout, stderr } = await place.run(
      demo("--mode", "edits", "think Hmm.; write a.txt one; say Hello there."),
    );
    expect(stdout).toBe("Hello there.\n");
    expect(stderr).toContain("│ Hmm.");
    expect(stderr).toContain("● Write a.txt");
    expect(stderr).toContain("created a.txt");
    expect(stderr).toMatch(/done in .+ · 1 tool call · 1 file changed/);
    expect(stderr).not.toContain("\x1b");
    expect(code).toBe(0);
    expect(readFileSync(join(place.cwd, "a.txt"), "utf8")).toContain("one");
  });

  it("has one valid event per line with --json, from the first to the end of the turn", async () => {
    const { code, stdout, stderr } = await place.run(demo("--json", "--mode", "full", "write a.txt one; stream 20"));
    const events = stdout
      .trimEnd()
      .split("\n")
      .map((line) => reinsEventSchema.parse(JSON.parse(line)));
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1));
    expect(events.at(-1)).toMatchObject({ type: "turn.completed", outcome: "done", toolCalls: 1 });
    expect(events.filter(({ type }) => type === "message.delta").length).toBeGreaterThan(1);
    expect(stderr).toBe("");
    expect(code).toBe(0);
  });

  it("shows a subagent's tools and keeps its text off stdout", async () => {
    const { stdout, stderr } = await place.run(demo(`subagent "list; say From below."; say From above.`));
    expect(stdout).toBe("From above.\n");
    expect(stderr).toContain("  ● List");
  });

  it("writes the agent's bytes to a pipe unchanged", async () => {
    const { stdout } = await place.run(demo("say \x1b[31mred\x1b[0m"));
    expect(stdout).toBe("\x1b[31mred\x1b[0m\n");
  });
});

describe("prompt", () => {
  it.each([
    ["the joined words", ["say", "one", "two"], "", "one two\n"],
    ["stdin", [], "say piped", "piped\n"],
    ["stdin for a dash", ["-"], "say piped", "piped\n"],
    ["words and stdin", ["say words"], "and more", "words\n\nand more\n"],
    ["text that starts with a dash", ["--", "-x; say dashed"], "", /dashed\n$/],
  ])("is %s", async (_name, args, input, expected) => {
    const { code, stdout } = await place.run(demo(...args), { input });
    expect(stdout).toEqual(typeof expected === "string" ? expected : expect.stringMatching(expected));
    expect(code).toBe(0);
  });

  it("may have ten megabytes", async () => {
    const { code, stdout } = await place.run(demo(), { input: `say ${"x".repeat(10 * 1024 * 1024)}` });
    expect(stdout.length).toBeGreaterThan(10 * 1024 * 1024);
    expect(code).toBe(0);
  });
});

describe("permissions without a terminal", () => {
  it("are denied at once, with a line that says how to allow it", async () => {
    const { code, stdout, stderr } = await place.run(demo("write a.txt one; say Done."));
    expect(stderr).toContain(
      "Denied: Write a.txt. There is no terminal to ask at; `--mode edits` allows changes to files, `--mode full` allows everything.",
    );
    expect(stdout).toBe("Done.\n");
    expect(existsSync(join(place.cwd, "a.txt"))).toBe(false);
    expect(code).toBe(4);
  });

  it("are not needed when the mode or the options allow the call", async () => {
    expect(await place.run(demo("--mode", "full", "run node --version"))).toMatchObject({ code: 0 });
    expect(await place.run(demo("--allow-tool", "write", "write b.txt two"))).toMatchObject({ code: 0 });
    expect(existsSync(join(place.cwd, "b.txt"))).toBe(true);
  });

  it("skip a question", async () => {
    const { code, stdout, stderr } = await place.run(demo("ask Which way?"));
    expect(stderr).toContain("Skipped a question");
    expect(stdout).toContain("You left the question open.");
    expect(code).toBe(0);
  });
});

it.each([
  ["from the printed state without a store", ["--no-store"], /run --resume (\S+)/, ["run", "--resume"]],
  ["the printed session", [], /reins resume (\S+)/, ["resume"]],
])("continues %s", async (_what, options, line, command) => {
  const first = await place.run(demo(...options, "say one"));
  const name = line.exec(first.stderr)?.[1] ?? "";
  const second = await place.run([...command, name, "--json", "say two"]);
  expect(second.code).toBe(0);
  const started = second.stdout.split("\n").find((line) => line.includes('"session.started"')) ?? "{}";
  expect(JSON.parse(started)).toMatchObject({ agent: "demo", resumed: true });
});

describe("bad input ends with one sentence and the right code", () => {
  it.each([
    ["an unknown agent", ["run", "-a", "dem", "hi"], 2, /^reins: There is no agent dem\.\nDid you mean demo\?\n$/],
    [
      "a missing folder",
      demo("--cwd", "/nowhere/at/all", "hi"),
      2,
      /^reins: The folder \/nowhere\/at\/all does not exist\.\n$/,
    ],
    ["an empty prompt", demo("  "), 2, /^reins: The prompt is empty\.\n.*reins run/],
    ["an unknown model", demo("-m", "gpt-17", "hi"), 2, /^reins: .*gpt-17.*\n/],
    ["a state of another agent", demo("--resume", "claude:abc", "hi"), 2, /^reins: This state cannot be resumed here/],
    ["an invalid state", demo("--resume", "garbage", "hi"), 2, /^reins: This state cannot be resumed here/],
    ["an unknown mode", demo("--mode", "yolo", "hi"), 2, /^reins: .*'yolo' is invalid\. Allowed choices are read/],
    ["an unknown option", demo("--jsno", "hi"), 2, /^reins: Unknown option '--jsno'\. Did you mean --json\?\n/],
    ["a missing file", demo("--file", "nope.txt", "hi"), 2, /^reins: There is no file nope\.txt\.\n$/],
    [
      "an invalid number",
      demo("--max-turns", "many", "hi"),
      2,
      /^reins: .*'many' is invalid\. It must be a whole number/,
    ],
    ["raw messages without --json", demo("--raw", "hi"), 2, /^reins: `--raw` needs `--json`\.\n$/],
  ])("%s", async (_name, args, code, stderr) => {
    const result = await place.run(args);
    expect(result.stderr).toMatch(stderr);
    expect(result).toMatchObject({ code, stdout: "" });
    expect(result.stderr).not.toMatch(/\n {4}at /);
  });

  it("binary on stdin", async () => {
    const result = await place.run(demo(), { input: Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 1, 2, 255]) });
    expect(result).toMatchObject({ code: 2, stdout: "" });
    expect(result.stderr).toMatch(/^reins: The input on stdin is binary, but a prompt must be text\.\n/);
  });

  it("a file instead of a folder", async () => {
    writeFileSync(join(place.cwd, "file"), "");
    const result = await place.run(demo("--cwd", join(place.cwd, "file"), "hi"));
    expect(result).toMatchObject({ code: 2, stdout: "" });
    expect(result.stderr).toMatch(/^reins: .*file is not a folder\.\n$/);
  });

  it("a broken configuration", async () => {
    mkdirSync(join(place.cwd, ".reins"));
    writeFileSync(join(place.cwd, ".reins", "config.json"), "{ mode: ");
    const result = await place.run(demo("hi"));
    expect(result).toMatchObject({ code: 2, stdout: "" });
    expect(result.stderr).toMatch(/^reins: The configuration .*config\.json cannot be used/);
  });
});

describe("end of a turn", () => {
  it.each([
    ["overloaded", 1],
    ["not_authenticated", 3],
    ["refused", 4],
    ["quota_exhausted", 5],
  ])("%s is exit code %d", async (error, code) => {
    const result = await place.run(demo(`say before; fail ${error}`));
    expect(result.stdout).toBe("before\n");
    expect(result.stderr).toMatch(/^reins: .+\.$/m);
    expect(result.code).toBe(code);
  });

  it("is exit code 3 when the agent is not installed", async () => {
    const result = await place.run(["run", "-a", "claude", "hi"], { env: { PATH: "/nowhere" } });
    expect(result).toMatchObject({ code: 3, stdout: "" });
    expect(result.stderr).toMatch(/^reins: .+ not found.+\n.*npm install/);
  });

  it("says when a limit resets", async () => {
    expect((await place.run(demo("fail quota_exhausted"))).stderr).toMatch(/Try again after \d{4}-\d\d-\d\dT/);
  });

  it("shows the stack of a defect only on request", async () => {
    const hidden = await place.run(demo("--cwd", "/nowhere", "hi"));
    const shown = await place.run(demo("--cwd", "/nowhere", "hi"), { env: { REINS_DEBUG: "1" } });
    expect(hidden.stderr).not.toContain("    at ");
    expect(shown.stderr).toContain("    at ");
  });
});

describe("limits of a prompt", () => {
  it("stops at a budget with exit code 5", async () => {
    const { code, stderr } = await place.run(demo("--max-time", "1", "sleep 30000"));
    expect(stderr).toMatch(/^reins: The budget is spent: .+ of 1 seconds for this session\.$/m);
    expect(code).toBe(5);
  });

  it("runs the after-step, tells the agent about its failure, and shows the next turn", async () => {
    const { code, stdout, stderr } = await place.run(
      demo("--mode", "edits", "--after", "ls gone.txt", "--continue-on", "after_failed", "say One."),
    );
    expect(stderr).toContain("● Run ls gone.txt");
    expect(stderr).toMatch(/✗ exit code \d+ · 1 line\n {2}│ .*ls: .*gone\.txt/);
    expect(stderr.match(/↻ prompted again automatically: This was run after your work/g)).toHaveLength(5);
    expect(stderr).toMatch(/the limit of automatic prompts is reached/);
    expect(stdout).toMatch(/^One\.\n/);
    // The step still fails, whatever the agent says.
    expect(code).toBe(1);
  });

  it("does not run a project's command without asking", async () => {
    writeFileSync(join(place.cwd, "reins.config.json"), JSON.stringify({ after: "touch made" }));
    const { code, stderr } = await place.run(demo("--mode", "full", "say Done."));
    expect(stderr).toContain(
      "Denied: Run touch made. There is no terminal to ask at; it comes from the project: pass it",
    );
    expect(existsSync(join(place.cwd, "made"))).toBe(false);
    expect(code).toBe(4);
  });
});

it("reports a removed folder in one sentence, as wrong usage", () => {
  const command = ["sh", "-c", 'rmdir "$PWD"; exec "$@"', "sh", process.execPath, bin, ...demo("say x")];
  const ran = spawnSync("/usr/bin/env", command, { cwd: place.cwd, env: place.env, input: "", encoding: "utf8" });
  expect(ran.stderr).toBe("reins: The current folder no longer exists.\nChange to an existing folder first.\n");
  expect(ran.status).toBe(2);
});
