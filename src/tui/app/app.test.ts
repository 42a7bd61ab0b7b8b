/** The whole interface: keys go in, a terminal emulator shows the screen, and the demo agent works in a real folder. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { isAlive, until } from "../../../test/support/processes.ts";
import { keys, openTui, type Tui } from "../../../test/support/tui.ts";
import { runShell } from "../../cli/run-shell.ts";
import type { TerminalWatcher } from "../screen/watcher.ts";

/** Every frame fits the terminal, and nothing erases the scrollback. */
function expectCleanOutput({ port }: Tui): void {
  const written = port.log.join("");
  expect(written).not.toContain("\x1b[3J");
  for (const row of port.screen()) expect(row.length).toBeLessThanOrEqual(port.columns);
}

test("a new user sends a prompt, approves one edit and sees the turn folded", async () => {
  const tui = openTui({ first: {} });
  await tui.shows("No coding agent is ready");
  tui.send("show me around");
  await tui.shows("y Allow once");
  expect(tui.screen()).toContain("Waiting for your answer");
  tui.type("y");
  await tui.shows(/Worked|worked/);
  await tui.hides("Waiting for your answer");
  expect(existsSync(join(tui.cwd, "hello-from-reins.md"))).toBe(true);
  expect(tui.history).toEqual(["show me around"]);
  expectCleanOutput(tui);
});

test("the process that restores the terminal knows the screen before raw mode is entered", async () => {
  const happened: string[] = [];
  const watch = (): TerminalWatcher => {
    happened.push("watch");
    return { use: (kind) => void happened.push(kind), stop: () => void happened.push("stop") };
  };
  const tui = openTui({ watch, onRaw: (on) => void happened.push(on ? "raw" : "cooked") });
  await tui.shows("What should the agent do?");
  tui.send("/quit");
  await tui.ended;
  expect(happened).toEqual(["watch", "full", "raw", "cooked", "off", "stop"]);
});

test("treats a letter that arrives with the request as text", async () => {
  const tui = openTui();
  // Typed right after the first frame with the request, before any timer can fire.
  const write = tui.port.write.bind(tui.port);
  let typed = false;
  tui.port.write = (bytes) => {
    write(bytes);
    if (typed || !bytes.includes("Answer with a key above")) return;
    typed = true;
    queueMicrotask(() => tui.type("yes, and then more"));
  };
  tui.send("write a.txt hello");
  await tui.shows("y Allow once");
  expect(tui.screen()).toContain("yes, and then more");
  expect(existsSync(join(tui.cwd, "a.txt"))).toBe(false);
});

test("denies with a message: the agent gets it, and nothing is written", async () => {
  const tui = openTui();
  tui.send("write a.txt hello");
  await tui.shows("Deny with a message");
  tui.type("m");
  await tui.shows("Deny, and tell the agent");
  tui.send("use b.txt instead");
  await tui.hides("Deny, and tell the agent");
  await tui.hides("Waiting for your answer");
  tui.type(keys.ctrl("t"));
  await tui.shows("use b.txt instead");
  expect(existsSync(join(tui.cwd, "a.txt"))).toBe(false);
});

test("puts a letter typed right after an answer into the prompt", async () => {
  const tui = openTui();
  tui.send("write a.txt hello");
  await tui.shows("y Allow once");
  tui.type("ysay next");
  await tui.shows("❯ say next");
  await tui.shows("▸ Worked");
  expect(tui.hasEnded()).toBe(false);
  expect(tui.screen()).not.toContain("Nothing waits");
});

test("runs the edited command", async () => {
  const tui = openTui();
  tui.send("run echo hi");
  await tui.shows("? Why");
  tui.type("e");
  await tui.shows("Edit the input");
  tui.send(" there");
  await tui.hides("Edit the input");
  await tui.hides("Waiting for your answer");
  tui.type(keys.ctrl("t"));
  await tui.shows("hi there");
});

test("queues a prompt during a turn and sends it afterwards", async () => {
  const tui = openTui();
  tui.send("write a.txt one");
  await tui.shows("y Allow once");
  // Start with a letter that is no answer key, so that the text becomes a draft.
  tui.send("list; say second turn");
  await tui.shows("1 queued");
  await tui.shows("1. list; say second turn");
  tui.type("y");
  await tui.shows("second turn");
  await tui.hides("queued");
  expect(readFileSync(join(tui.cwd, "a.txt"), "utf8")).toContain("one");
});

test("stops the turn on a second Esc and keeps the draft", async () => {
  const tui = openTui();
  tui.send("sleep 600000");
  await tui.shows("Esc Esc stops");
  tui.type(keys.escape);
  await tui.shows("Press Esc again to stop the turn.");
  tui.type(keys.escape);
  tui.type(keys.escape);
  await tui.shows(/[Cc]ancelled|[Ss]topped/);
  await tui.hides("Stopping the turn");
  tui.type("next");
  await tui.shows("next");
});

test.each([
  ["Esc Esc", keys.escape + keys.escape],
  ["Ctrl+C", keys.ctrl("c")],
])("%s stops a command of the person with all that it started, and shows its output", async (_, stop) => {
  const tui = openTui({ host: { runShell } });
  tui.send("!echo begun; sh -c 'echo $$ > pid; sleep 600; true'; true");
  await tui.shows("Running the command");
  const file = join(tui.cwd, "pid");
  await until(() => existsSync(file) && readFileSync(file, "utf8") !== "", "the command");
  tui.type(stop);
  await tui.shows("stopped");
  expect(tui.screen()).toContain("begun");
  expect(tui.screen()).not.toContain("Running the command");
  await until(() => !isAlive(Number(readFileSync(file, "utf8"))), "the end");
  expect(tui.hasEnded()).toBe(false);
});

test("says that Enter queues during a turn, and counts a long queue", async () => {
  const tui = openTui();
  tui.send("sleep 600000");
  await tui.shows("Esc Esc stops");
  await tui.shows("Type your next prompt: Enter queues it");
  for (const word of ["one", "two", "three", "four", "five"]) tui.send(`say ${word}`);
  await tui.shows("3. say three");
  await tui.shows("… 2 more");
});

test("inline, hides a finished plan in later turns", async () => {
  const tui = openTui({ rows: 40, ui: { screen: "inline" }, first: { agent: "demo", mode: "edits" } });
  tui.send("show me around");
  await tui.shows("Worked");
  tui.send("sleep 600000");
  await tui.shows("Esc Esc stops");
  expect(tui.screen()).not.toMatch(/^✓ Say what was done/m);
});

test("switches to the next mode with Shift+Tab", async () => {
  const tui = openTui();
  await tui.shows(/Demo.* · ask/);
  tui.type(keys.shiftTab);
  await tui.shows("Mode edits");
  await tui.shows(/Demo.* · edits/);
});

test("answers /status, /help and an unknown slash command", async () => {
  const tui = openTui({ rows: 60 });
  await tui.shows(/Demo/);
  tui.send("/status");
  await tui.shows("1.2.3");
  await tui.shows(/Status|status/);
  tui.send("/helpp");
  await tui.shows("There is no command /helpp. Did you mean /help?");
  tui.send("/help");
  await tui.shows("Quit Reins");
  tui.type(keys.pageUp);
  await tui.shows("search in the session");
});

test("shows the changes of the session with /diff, and closes them with Esc", async () => {
  const tui = openTui({ first: { agent: "demo", mode: "edits" } });
  tui.send("write a.txt hello");
  await tui.shows("1 file changed");
  tui.send("/diff");
  await tui.shows("Changes");
  await tui.shows("+ hello");
  tui.type(keys.escape);
  await tui.hides("Changes");
});

test("keeps drafts with their session while another session is used", async () => {
  const tui = openTui({ columns: 160 });
  tui.send("write a.txt one");
  await tui.shows("y Allow once");
  tui.type(`${keys.ctrl("x")}n`);
  await tui.shows("1 waiting elsewhere");
  tui.type("a draft of two");
  await tui.shows("a draft of two");
  tui.type(keys.ctrl("n"));
  await tui.shows("y Allow once");
  expect(tui.screen()).not.toContain("a draft of two");
  tui.type(keys.ctrl("n"));
  await tui.shows("a draft of two");
});

test("quits on a second Ctrl+C", async () => {
  const tui = openTui();
  await tui.shows("What should the agent do?");
  tui.type(keys.ctrl("c"));
  await tui.shows("Press Ctrl+C again to quit.");
  expect(tui.hasEnded()).toBe(false);
  tui.type(keys.ctrl("c") + keys.ctrl("c"));
  await tui.ended;
  await tui.port.settle();
  expect(tui.port.terminal.buffer.active.type).toBe("normal");
});

test("asks before quitting while something runs", async () => {
  const tui = openTui();
  tui.send("sleep 600000");
  await tui.shows("Esc Esc stops");
  tui.type(keys.ctrl("c") + keys.ctrl("c"));
  await tui.shows("Quit and stop running sessions?");
  tui.type(keys.escape);
  await tui.hides("Quit and stop running sessions?");
  expect(tui.hasEnded()).toBe(false);
  tui.type(`${keys.ctrl("x")}q`);
  await tui.shows("Quit and stop running sessions?");
  tui.type("y");
  await tui.ended;
});

test("opens and folds the steps of a turn with Tab and Enter", async () => {
  const tui = openTui();
  tui.send('think "deep thoughts"; list; say all done');
  await tui.shows(/[Ww]orked/);
  await tui.shows("all done");
  expect(tui.screen()).not.toContain("Thought");
  await tui.shows("▸ Worked");
  tui.type(keys.tab);
  await tui.shows("Enter opens");
  tui.type(keys.enter);
  await tui.shows("▾ Worked");
  tui.type(keys.enter);
  await tui.shows("▸ Worked");
});

test("finds text that has scrolled away with Ctrl+F", async () => {
  const tui = openTui();
  tui.send("say the needle is here");
  await tui.shows("the needle is here");
  tui.send("stream 2000");
  await tui.shows("2000");
  expect(tui.screen()).not.toContain("needle");
  tui.type(`${keys.ctrl("f")}needle`);
  await tui.shows(/1 of|2 of/);
  await tui.shows("the needle is here");
  tui.type(keys.escape);
  await tui.hides("Search:");
});

test("shows the typed text in a tiny terminal, and throws at no size", async () => {
  const tui = openTui({ columns: 20, rows: 5 });
  tui.type("hello");
  await tui.shows("hello");
  await tui.port.resize(1, 1);
  tui.type("x");
  await tui.port.resize(20, 5);
  await tui.shows("hellox");
  tui.send("; list");
  await tui.port.resize(1, 1);
  await tui.port.resize(200, 50);
  await tui.shows(/[Ww]orked|done/);
  expectCleanOutput(tui);
  expect(tui.hasEnded()).toBe(false);
});

test("inline after full: boxes and the output of commands are printed too, once and in their place", async () => {
  const tui = openTui();
  tui.send("list; say the first answer");
  await tui.shows("▸ Worked");
  tui.send("!ls");
  await tui.shows("ran ls");
  tui.send("list; say the second answer");
  await tui.shows(/▸ Worked[^]*ran ls[^]*▸ Worked/);
  tui.send("/policy");
  await tui.shows("Policy");
  tui.send("/inline");
  await tui.shows(/ran ls[^]*Policy/);
  tui.send("/full");
  await tui.shows("▸ Worked");
  tui.send("/inline");
  await tui.hides("▸ Worked");
  tui.send("!pwd");
  await tui.shows("ran pwd");
  await tui.port.settle();
  const printed = tui.port.lines().join("\n");
  expect(printed).toMatch(/first answer[^]*ran ls[^]*second answer[^]*Policy[^]*ran pwd/);
  for (const words of ["ran ls", "ran pwd"]) expect(printed.split(words)).toHaveLength(2);
});

test("inline, keeps everything in the scrollback", async () => {
  const tui = openTui({ ui: { screen: "inline" } });
  tui.send("say the first answer");
  await tui.shows("the first answer");
  tui.send("stream 500");
  await tui.shows("500");
  await tui.port.settle();
  expect(tui.port.lines().join("\n")).toContain("the first answer");
  expectCleanOutput(tui);
});
