/** Plain mode over a pipe, with the demo agent in a real folder. */
import { PassThrough } from "node:stream";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { createReins } from "../../core/reins.ts";
import { ReinsError } from "../../events/errors.ts";
import { managedAgent } from "../../../test/support/managed-agent.ts";
import { testFolder } from "../../../test/support/core.ts";
import { repository } from "../../../test/support/repository.ts";
import { testStore } from "../../../test/support/store.ts";
import { box, line } from "../../view/slash/box.ts";
import { plainBox } from "./lists.ts";
import { choiceMeant } from "./requests.ts";
import { runPlain, type PlainOptions } from "./run.ts";

function opened(
  { prepare, ...more }: Partial<PlainOptions> & { readonly prepare?: (cwd: string) => void } = {},
  agents: Parameters<typeof createReins>[0] = {},
) {
  const home = testFolder();
  const cwd = testFolder();
  prepare?.(cwd);
  const env = { PATH: "/usr/bin:/bin", HOME: home, REINS_HOME: home };
  const reins = createReins({ env, guardian: false, store: testStore().store, ...agents });
  const [stdin, stdout] = [new PassThrough(), new PassThrough()];
  const ending = new AbortController();
  let text = "";
  stdout.setEncoding("utf8").on("data", (piece: string) => (text += piece));
  const ended = runPlain({
    ...{ reins, cwd, stdin, stdout, ending: ending.signal, first: { agent: "demo" } },
    platform: { os: "Test", shell: "sh" },
    runShell: async (command) => ({ output: `ran ${command}\u001b[2J`, exitCode: 3 }),
    saveFile: async (name) => name,
    fileExists: () => false,
    ...more,
  });
  onTestFinished(async () => {
    ending.abort();
    await ended;
    await reins.close();
  });
  return {
    ...{ cwd, ended, stdin },
    type: (words: string) => void stdin.write(`${words}\n`),
    shows: (words: string | RegExp) =>
      vi.waitFor(
        () =>
          expect(typeof words === "string" ? text.includes(words) : words.test(text), `${words} in:\n${text}`).toBe(
            true,
          ),
        60_000,
      ),
    text: () => text,
  };
}

/** Characters that a screen reader would spell out, and escape sequences. */
const marks = /[\u001b\u2500-\u257f●○✓✗±↻◌▸→←]/u;

test.each([
  ["y", true],
  ["yes", true],
  ["1", true],
  ["n", false],
  ["DENY", false],
])("answers a request with %j", async (typed, allowed) => {
  const plain = opened();
  plain.type("write a.txt hello");
  await plain.shows("Approval needed:");
  await plain.shows("1. Allow once (y)");
  plain.type("what?");
  await plain.shows(/(?:Type a number or a letter[^\n]*\n){2}/);
  plain.type(typed);
  await plain.shows("Turn finished");
  await plain.shows(allowed ? "Allowed by you." : "Denied by you.");
  expect(existsSync(join(plain.cwd, "a.txt"))).toBe(allowed);
  expect(plain.text()).toMatch(allowed ? /^File: .*a\.txt/m : /^Failed: /m);
  expect(plain.text()).not.toMatch(marks);
});

test("queues prompts typed during a turn, and does not take them as answers", async () => {
  const plain = opened();
  plain.type("sleep 300; write a.txt hello");
  await plain.shows("Agent: Demo. Mode: ask.");
  plain.type("say second");
  await plain.shows("Queued: say second");
  await plain.shows("Type a number or a letter");
  plain.type("n");
  await plain.shows(/second\n(?:.|\n)*Turn finished/);
  expect(existsSync(join(plain.cwd, "a.txt"))).toBe(false);
});

test("runs a shell command, and shows lists as text without marks, boxes or colours", async () => {
  const plain = opened();
  plain.type("! ls");
  await plain.shows("ran ls\nExit code 3.");
  plain.type("say hello");
  await plain.shows("Turn finished");
  plain.type("/status");
  await plain.shows("Demo Status");
  plain.type("/models");
  await plain.shows("- scripted");
  plain.type("/mode");
  await plain.shows("Modes:");
  plain.type("/sessions");
  await plain.shows(/Sessions, 1 of 1:\nses_\S+: say hello \(demo, done, 1 turn/);
  plain.type("/diff");
  await plain.shows("This session has changed no files.");
  plain.type("/compare");
  await plain.shows("No comparisons yet.");
  plain.type("/nosuch");
  await plain.shows("There is no command /nosuch.");
  plain.type("/resume");
  await plain.shows("Your next prompt continues it");
  plain.type("/quit");
  await plain.ended;
  expect(plain.text()).not.toMatch(marks);
});

test("runs a login in the terminal, or names the command without one", async () => {
  const login = async () => ({ command: "toy", args: ["login"] });
  const agents = [managedAgent("toy", { login }, { found: { signedInHow: "account a@b.org" } })];
  const runProgram = vi.fn<() => Promise<number>>(async () => 0);
  const first = { agent: "toy" };
  const terminal = opened({ first, runProgram }, { agents });
  terminal.type("/login");
  await terminal.shows("Logged in as a@b.org\nAuthentication tokens stored securely.");
  expect(runProgram).toHaveBeenCalledWith(["toy", "login"], undefined);
  const pipe = opened({ first }, { agents });
  pipe.type("/login");
  await pipe.shows("Run this in a terminal: toy login");
});

test("denies pending requests at the end of the input, and ends", async () => {
  const plain = opened();
  plain.stdin.end("write a.txt hello\n");
  await plain.ended;
  expect(plain.text()).toContain("Approval needed");
  expect(existsSync(join(plain.cwd, "a.txt"))).toBe(false);
});

test("replaces the marks of a box with words", () => {
  const shown = box("Title", [
    line("✓ Done."),
    line("└─ db  loaded"),
    line("✗ It failed."),
    line("→ Try again."),
    line("● one  ← default"),
  ]);
  expect(plainBox(shown)).toBe("Title\nDone.\n- db  loaded\nError: It failed.\nNext: Try again.\n- one  (default)");
});

test("does not accept a letter that two choices share: each is chosen by its number", async () => {
  const plain = opened();
  plain.type("write a.txt hello");
  await plain.shows(/^3\. Always allow .*[^)]\n4\. Always allow in this folder: .*[^)]\n/m);
  await plain.shows("Type a number or a letter (y, s, n, m)");
  plain.type("a");
  await plain.shows(/(?:Type a number or a letter[^\n]*\n){2}/);
  expect(existsSync(join(plain.cwd, "a.txt"))).toBe(false);
  plain.type("4");
  await plain.shows("Turn finished");
  expect(existsSync(join(plain.cwd, "a.txt"))).toBe(true);
});

const choices = [{ key: "y" }, { key: "a" }, { key: "n" }, { key: "s" }, { key: "s" }];

test.each([
  ["1", 0],
  [" 3 ", 2],
  ["Y", 0],
  ["always", 1],
  ["no", 2],
  ["4", 3],
  ["s", -1],
  ["session", -1],
  ["6", -1],
  ["0", -1],
  ["yn", -1],
  ["", -1],
  ["constructor", -1],
])("reads %j as a choice", (typed, at) => {
  expect(choices.indexOf(choiceMeant(typed, choices)!)).toBe(at);
});

/** Ctrl+C, as the command handles it. */
function interruptible() {
  let interrupt = (): boolean => false;
  const handleInterrupts: PlainOptions["handleInterrupts"] = (handle) => {
    interrupt = handle;
    return () => undefined;
  };
  return { handleInterrupts, interrupt: () => interrupt() };
}

test.each([
  ["y", true],
  ["n", false],
])("after Ctrl+C queued prompts are named, and %j decides about them", async (typed, sent) => {
  const { handleInterrupts, interrupt } = interruptible();
  const plain = opened({ handleInterrupts });
  plain.type("sleep 600000");
  await plain.shows("Agent: Demo");
  plain.type("say from the queue");
  await plain.shows("Queued: say from the queue");
  expect(interrupt()).toBe(true);
  await plain.shows("1 prompt still queued:\n1. say from the queue\nType y to send, n to drop");
  plain.type("what?");
  await plain.shows(/(?:Type y to send[^\n]*\n){2}/);
  plain.type(typed);
  if (!sent) await plain.shows("Dropped.");
  plain.type("say the next one");
  await plain.shows(/^> the next one$/m);
  expect(/^> from the queue$/m.test(plain.text())).toBe(sent);
});

test("a token is read without echo and given to the agent alone", async () => {
  let given: Readonly<Record<string, string>> | undefined;
  const found = { signedIn: "no", ready: false } as const;
  const open = ({ env }: { readonly env?: Readonly<Record<string, string>> | undefined }) => {
    given = env;
    return Promise.reject(new ReinsError("not_authenticated", "The key was refused.", { agent: "toy" }));
  };
  const toy = managedAgent("toy", { instead: { login: "Set TOY_KEY." } }, { found, keys: ["TOY_KEY"], open });
  const echo: boolean[] = [];
  const plain = opened({ first: { agent: "toy" }, setEcho: (on) => void echo.push(on) }, { agents: [toy] });
  plain.type("/login token");
  await plain.shows("Type the value of TOY_KEY and press Enter. It is not shown.");
  expect(echo).toEqual([false]);
  plain.type("sesame-123");
  await plain.shows("TOY_KEY is used for Toy from your next prompt on.");
  expect(echo).toEqual([false, true]);
  plain.type("go");
  await plain.shows("Error: The key was refused.");
  expect(given).toEqual({ TOY_KEY: "sesame-123" });
  expect(plain.text()).not.toContain("sesame");
});

test("/compare asks for agents, lets each ask, and puts the changes of one into the folder", async () => {
  const plain = opened({ prepare: repository });
  plain.type("/compare edit a.txt one -> two");
  await plain.shows(/^1\. Demo \(demo\)$/m);
  plain.type("nobody");
  await plain.shows("There is no agent nobody.");
  plain.type("1:scripted");
  await plain.shows("Started in a git worktree each: demo (scripted).");
  await plain.shows("demo (scripted): Approval needed:");
  plain.type("y");
  await plain.shows(/1\. demo \(scripted\): done, 1 file changed, 1 line added, 1 removed/);
  plain.type("1");
  await plain.shows("1 file of demo (scripted) put into the folder.");
  expect(readFileSync(join(plain.cwd, "a.txt"), "utf8")).toBe("two\n");
  expect(plain.text()).not.toMatch(marks);
});

test.each([
  ["a turn", "sleep 600000", "Agent: Demo"],
  ["a turn that asks for permission", "write a.txt hello", "Type a number or a letter"],
  ["a turn that asks a question", 'ask "Which one?"', "Type a number, or your own answer"],
])("stops %s on Ctrl+C and continues with the next prompt; quits when nothing runs", async (_, prompt, begun) => {
  const { handleInterrupts, interrupt } = interruptible();
  const plain = opened({ handleInterrupts });
  await plain.shows("Ctrl+C stops a turn");
  expect(interrupt()).toBe(false);
  plain.type(prompt);
  await plain.shows(begun);
  expect(interrupt()).toBe(true);
  await plain.shows("Turn finished: cancelled");
  expect(existsSync(join(plain.cwd, "a.txt"))).toBe(false);
  plain.type("say still here");
  await plain.shows("Turn finished: done");
  expect(plain.text()).not.toContain("Error:");
});
