/** The whole interface in a real terminal with the demo agent: what a person does from start to quit. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { keys, newPlace, openInterface } from "./support/interface.ts";

/** The content of a file in the folder; undefined before it exists. */
const file = (cwd: string, name: string): string | undefined =>
  existsSync(join(cwd, name)) ? readFileSync(join(cwd, name), "utf8") : undefined;

test("starts, prompts, approves and quits: the file is written, and the last turn stays on the main screen", async () => {
  const tui = await openInterface(["-a", "demo"]);
  await tui.shows("What should the agent do?");
  await tui.send("write a.txt hello; say It is written.");
  await tui.shows("y Allow once");
  expect(existsSync(join(tui.place.cwd, "a.txt"))).toBe(false);
  tui.type("y");
  await tui.shows(/^It is written\./m);
  await tui.hides("Waiting for your answer");
  await expect.poll(() => file(tui.place.cwd, "a.txt")).toBe("hello");
  expect(await tui.quit()).toBe(0);
  expect(tui.terminal.terminal.buffer.active.type).toBe("normal");
  expect(tui.screen()).toContain("It is written.");
  expect(tui.output()).not.toContain("\x1b[3J");
});

test("runs the input as the person edited it", async () => {
  const tui = await openInterface(["-a", "demo"]);
  await tui.send("run echo hi");
  await tui.shows("e Edit");
  tui.type("e");
  await tui.shows("Edit the input");
  await tui.send(" there");
  await tui.hides("Waiting for your answer");
  await tui.shows("▸ Worked");
  tui.type(keys.ctrl("t"));
  await tui.shows("hi there");
});

test("denies without and with a message: nothing is written, and the agent receives the message", async () => {
  const tui = await openInterface(["-a", "demo"]);
  await tui.send("write a.txt hello");
  await tui.shows("n Deny");
  tui.type("n");
  await tui.hides("Waiting for your answer");
  await tui.send("write b.txt hello");
  await tui.shows("m Deny with a");
  tui.type("m");
  await tui.shows("Deny, and tell the agent");
  await tui.send("use c.txt instead");
  await tui.hides("Deny, and tell the agent");
  await tui.hides("Waiting for your answer");
  tui.type(keys.ctrl("t"));
  await tui.shows("use c.txt instead");
  expect(["a.txt", "b.txt"].map((file) => existsSync(join(tui.place.cwd, file)))).toEqual([false, false]);
});

test("allows for this session: the second write does not ask", async () => {
  const tui = await openInterface(["-a", "demo"]);
  await tui.send("write a.txt one; write a.txt two; say Both are written.");
  await tui.shows("s Allow for this session");
  tui.type("s");
  await tui.shows(/^Both are written\./m);
  await expect.poll(() => file(tui.place.cwd, "a.txt")).toBe("two");
});

test("stops the turn with Esc Esc, and answers the next prompt", async () => {
  const tui = await openInterface(["-a", "demo"]);
  await tui.send("sleep 600000");
  await tui.shows("Esc Esc stops");
  tui.type(keys.escape + keys.escape);
  await tui.shows(/[Cc]ancelled/);
  await tui.send("say still here");
  await tui.shows(/^still here/m);
});

test("shows the agent's name in the boxes of slash commands, completes them, and does not send an unknown one", async () => {
  const tui = await openInterface(["-a", "demo"], { columns: 100, rows: 40 });
  await tui.shows("Demo");
  tui.type("/sta");
  await tui.shows("Show agent status, auth, and config");
  tui.type(keys.escape);
  await tui.hides("Show agent status, auth, and config");
  await tui.send("tus");
  await tui.shows(/Demo.* Status/);
  await tui.send("/models");
  await tui.shows(/Available Models \(Demo/);
  await tui.shows("← default");
  await tui.send("/mcp");
  await tui.shows("✗ Demo has no list of its MCP servers.");
  await tui.send("/nonsense");
  await tui.shows("There is no command /nonsense.");
  await tui.send("/mode edits");
  await tui.shows(/Demo.* · edits/);
});

test("switches agent and session, each with its own draft and request", async () => {
  const tui = await openInterface(["-a", "demo"], { columns: 120, rows: 40 });
  await tui.send("write a.txt one");
  await tui.shows("y Allow once");
  tui.type(`${keys.ctrl("x")}n`);
  await tui.shows("1 waiting elsewhere");
  tui.type("a draft");
  await tui.shows("a draft");
  tui.type(`${keys.ctrl("x")}s`);
  await tui.shows("waiting for you");
  tui.type(`write${keys.enter}`);
  await tui.shows("y Allow once");
  expect(tui.screen()).not.toContain("a draft");
  tui.type("y");
  await tui.hides("Waiting for your answer");
  tui.type(keys.ctrl("n"));
  await tui.shows("a draft");
  tui.type(`${keys.ctrl("x")}a`);
  await tui.shows("Gemini");
  tui.type(keys.escape);
  await tui.hides("Gemini");
  await tui.shows("a draft");
});

test("shows a resumed conversation and continues with it", async () => {
  const place = newPlace();
  const first = await openInterface(["-a", "demo"], { place });
  await first.send("say remember me");
  await first.shows(/^remember me/m);
  expect(await first.quit()).toBe(0);
  const second = await openInterface(["--resume"], { place });
  await second.shows(/^remember me/m);
  await second.send("say and me");
  await second.shows(/^and me/m);
  expect(await second.quit()).toBe(0);
});

test("draws the same screen after a resize in a running turn as a fresh start at that size", async () => {
  const tui = await openInterface(["-a", "demo"]);
  await tui.send("write a.txt hello");
  await tui.shows("y Allow once");
  await tui.shows("Answer with a key above");
  await tui.shows("? Waiting for approval");
  await tui.shows("● Waiting for your answer");
  await tui.hides("Loading the repository");
  const before = tui.screen();
  for (const [columns, rows] of [
    [120, 40],
    [40, 10],
    [20, 5],
    [1, 1],
    [200, 60],
  ] as const)
    await tui.resize(columns, rows);
  await tui.shows("y Allow once");
  await tui.resize(80, 24);
  await tui.waitFor((text) => text === before, `the first screen again, which was\n${before}\n`);
});

test("keeps the running turn, the request and the draft when switching between inline and full screen", async () => {
  const tui = await openInterface(["-a", "demo", "--inline"]);
  await tui.send("say before; write a.txt hello");
  await tui.shows("y Allow once");
  expect(tui.terminal.terminal.buffer.active.type).toBe("normal");
  tui.type(`${keys.ctrl("x")}i`);
  await tui.waitFor(() => tui.terminal.terminal.buffer.active.type === "alternate", "the full screen");
  await tui.shows("y Allow once");
  tui.type(`${keys.ctrl("x")}i`);
  await tui.waitFor(() => tui.terminal.terminal.buffer.active.type === "normal", "the main screen");
  await tui.shows("y Allow once");
  tui.type("y");
  await tui.hides("Waiting for your answer");
  await expect.poll(() => file(tui.place.cwd, "a.txt")).toBe("hello");
  await tui.terminal.settle();
  expect(tui.terminal.lines().filter((line) => line === "before")).toHaveLength(1);
});
