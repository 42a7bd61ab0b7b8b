import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { shellScript, temporaryFolder, testProcesses } from "../../../test/support/processes.ts";
import type { AgentEvent } from "../../events/types.ts";
import type { Processes } from "../../process/types.ts";
import { stepsOf, type AfterAnswer, type AfterSteps } from "./after-steps.ts";
import { AfterTurn, Continuing, type ContinueRule, type Ended } from "./after-turn.ts";

let root: string;
let processes: Processes;
let clean: () => Promise<void>;
const said: AgentEvent[] = [];
const warned: string[] = [];
beforeEach(() => {
  const folder = temporaryFolder();
  root = folder.path;
  processes = testProcesses(join(root, "home"));
  said.length = warned.length = 0;
  clean = async () => {
    await processes.close();
    folder[Symbol.dispose]();
  };
});
afterEach(() => clean());

interface More {
  readonly rules?: readonly ContinueRule[];
  readonly denial?: string;
  readonly deadlineMs?: number;
  readonly changed?: unknown;
  readonly permit?: () => Promise<AfterAnswer>;
}
function afterTurn(after: AfterSteps | undefined, more: More = {}): AfterTurn {
  return new AfterTurn({
    after,
    rules: more.rules,
    processes,
    cwd: root,
    env: { PATH: process.env["PATH"], MY_SECRET_KEY: "canary" },
    sessionId: "s",
    agent: () => "test",
    deadlineMs: more.deadlineMs ?? 20_000,
    say: (event) => said.push(event),
    permit: more.permit ?? (() => Promise.resolve({ denial: more.denial, changedInput: more.changed })),
    warn: (message) => warned.push(message),
  });
}
const done = { outcome: "done", text: "All done." } as const;
const types = () => said.map(({ type }) => type).filter((type) => type !== "tool.progress");
const never = new AbortController().signal;

describe("after-steps", () => {
  test("are split into words without a shell, and shell syntax is refused", () => {
    expect(stepsOf("npm run 'my build'")).toEqual([
      { command: "npm", args: ["run", "my build"], line: "npm run 'my build'" },
    ]);
    expect(stepsOf([["a b", "it's", "-x"], "c"])).toEqual([
      { command: "a b", args: ["it's", "-x"], line: `'a b' 'it'\\''s' -x` },
      { command: "c", args: [], line: "c" },
    ]);
    expect(stepsOf(undefined)).toEqual([]);
    for (const [bad, why] of [
      ["a | b", "which only a shell understands"],
      ["", "names no command"],
      ["A=b c", "begins with a variable"],
    ] as const)
      expect(() => stepsOf(bad)).toThrow(why);
    for (const bad of [5, {}, [5], [["a", 5]]])
      expect(() => stepsOf(bad as never)).toThrow(/After-steps are a command line|neither a line nor a program/);
    expect(() => stepsOf([[""]])).toThrow('The after-step [""] cannot be run: this command line names no command.');
  });

  test("run one after another as shell calls of the turn, in the folder, without keys", async () => {
    const script = shellScript(root, "step", 'echo "$1 in $(pwd) key=$MY_SECRET_KEY"; echo to-stderr >&2; touch "$1"');
    expect(await afterTurn([[script, "one"], `${script} two`]).of(done, never)).toBeUndefined();
    expect(types()).toEqual(["tool.started", "tool.completed", "tool.started", "tool.completed"]);
    expect(said[0]).toMatchObject({
      tool: "shell",
      kind: "execute",
      nativeName: "after",
      input: { command: `${script} one` },
    });
    const completed = said.find(({ type }) => type === "tool.completed");
    expect(completed).toMatchObject({ exitCode: 0, output: { text: `one in ${root} key=\nto-stderr\n` } });
    expect(existsSync(join(root, "two"))).toBe(true);
    expect(said.every(({ synthetic }) => synthetic === true)).toBe(true);
  });

  test("run as the user changed them, or not at all", async () => {
    await afterTurn("touch written", { changed: { command: "touch chosen" } }).of(done, never);
    expect([existsSync(join(root, "written")), existsSync(join(root, "chosen"))]).toEqual([false, true]);
    for (const changed of [{ command: ["touch", "chosen"] }, "touch other", { command: "touch a; touch b" }]) {
      await afterTurn("touch written", { changed }).of(done, never);
      expect(said.at(-1)).toMatchObject({ type: "tool.failed", reason: "error" });
    }
    expect(existsSync(join(root, "written"))).toBe(false);
  });

  test("stop at the first failure, and the agent is told about it", async () => {
    const script = shellScript(root, "fails", "echo broken; exit 3");
    const next = await afterTurn([script, "touch never"], { rules: [{ after: "failed" }] }).of(done, never);
    expect(types()).toEqual(["tool.started", "tool.completed"]);
    expect(said.at(-1)).toMatchObject({ exitCode: 3, output: { text: "broken\n" } });
    expect(next).toBe(
      `This was run after your work, and it failed. Correct what is wrong.\n\n\`${script}\` ended with exit code 3:\n\nbroken`,
    );
  });

  test("do not run when denied, and the session does not continue automatically", async () => {
    const rules: readonly ContinueRule[] = [{ after: "failed" }, { outcome: "done" }];
    expect(await afterTurn("touch ran", { rules, denial: "No." }).of(done, never)).toBeUndefined();
    expect(said.at(-1)).toMatchObject({ type: "tool.failed", reason: "denied", error: { message: "No." } });
    expect(existsSync(join(root, "ran"))).toBe(false);
  });

  test("are stopped at their deadline or with the turn", async () => {
    await afterTurn("sleep 60", { deadlineMs: 50 }).of(done, never);
    expect(said.at(-1)).toMatchObject({ reason: "timeout", error: { message: "It did not end within 0.05 seconds." } });
    const cancel = new AbortController();
    const script = shellScript(root, "waits", "echo here; exec sleep 60");
    const running = afterTurn(script).of(done, cancel.signal);
    while (!said.some((event) => event.type === "tool.progress" && event.output === "here\n"))
      await new Promise(setImmediate);
    cancel.abort();
    await running;
    expect(said.at(-1)).toMatchObject({
      reason: "cancelled",
      error: { message: "The turn was cancelled while it ran." },
    });
  });

  test("report a missing program or folder plainly", async () => {
    await afterTurn("no-such-program-anywhere").of(done, never);
    expect(said.at(-1)).toMatchObject({
      error: { message: 'The program "no-such-program-anywhere" was not found on PATH.' },
    });
    rmSync(root, { recursive: true });
    await afterTurn("true").of(done, never);
    expect(said.at(-1)).toMatchObject({ error: { message: `The folder ${root} does not exist.` } });
  });

  test("run only after a successful turn", async () => {
    expect(await afterTurn("true").of({ outcome: "failed", text: "" }, never)).toBeUndefined();
    expect(said).toEqual([]);
  });
});

describe("continue rules", () => {
  const failed: Ended = { outcome: "done", text: "", after: { passed: false, report: "It broke." } };

  test.each<[ContinueRule, Ended, string | undefined]>([
    [{ outcome: "max_turns" }, { outcome: "max_turns", text: "" }, "Go on."],
    [{ outcome: "max_turns" }, { outcome: "done", text: "" }, undefined],
    [{ text: "shall i GO on" }, { outcome: "done", text: "Done. Shall I go on?" }, "Go on."],
    [{ text: "go on" }, { outcome: "failed", text: "go on" }, undefined],
    [{ text: "go on", outcome: "max_tokens" }, { outcome: "max_tokens", text: "go on" }, "Go on."],
    [{ after: "failed", prompt: "Fix it." }, failed, "Fix it.\n\nIt broke."],
    [{ after: "passed" }, failed, undefined],
    [{ after: "failed" }, { outcome: "done", text: "" }, undefined],
    [{ after: "passed", prompt: "Next." }, { ...failed, after: { passed: true, report: "" } }, "Next."],
  ])("%j after %j: %s", (rule, ended, prompt) => {
    const next = new Continuing([rule]).next(ended);
    expect(next === "limited" ? next : next?.prompt).toBe(prompt);
  });

  test("continue at most five times each, and as often as a rule allows", () => {
    const continuing = new Continuing([{ after: "failed" }, { text: "more", times: 2 }, { outcome: "done" }]);
    for (let time = 0; time < 5; time++) expect(continuing.next(failed)).toMatchObject({ rule: { after: "failed" } });
    expect(continuing.next(failed)).toBe("limited");
    const more: Ended = { outcome: "done", text: "more" };
    expect([1, 2, 3].map(() => continuing.next(more) === "limited")).toEqual([false, false, true]);
    expect([1, 2, 3, 4].map(() => continuing.next({ outcome: "done", text: "" }) === "limited")).toEqual([
      false,
      false,
      false,
      true,
    ]);
  });

  test("report a reached limit, and count again for the next prompt", async () => {
    const follows = afterTurn(undefined, { rules: [{ outcome: "done", times: 1 }] });
    expect(await follows.of(done, never)).toBe("Go on.");
    expect(await follows.of(done, never)).toBeUndefined();
    expect(warned).toEqual(["The agent was not prompted again: the limit of automatic prompts is reached."]);
    follows.begin();
    expect(await follows.of(done, never)).toBe("Go on.");
  });

  test("do not apply after a cancel, a refusal or a spent budget", async () => {
    const follows = afterTurn(undefined, { rules: [{ outcome: "done" }, { text: "." }] });
    expect(await follows.of(done, AbortSignal.abort())).toBeUndefined();
    for (const outcome of ["cancelled", "refused", "budget"] as const)
      expect(await follows.of({ outcome, text: "." }, never)).toBeUndefined();
  });
});
