/** Unusual terminals and misbehaving agents. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { bin } from "../support/command.ts";
import { running } from "../real/support/left.ts";
import { isAlive, until } from "../support/processes.ts";
import { openPty } from "../support/pty.ts";
import { bareEnv, keys, newPlace, openInterface } from "./support/interface.ts";

test.each([
  [20, 5],
  [1, 1],
])("works in a terminal of %i x %i: typing, a turn, and quitting", async (columns, rows) => {
  const tui = await openInterface(["-a", "demo"], { columns, rows });
  tui.type("write a.txt hi\r");
  await tui.resize(80, 24);
  await tui.shows("y Allow once");
  await tui.resize(columns, rows);
  tui.type("y");
  const file = join(tui.place.cwd, "a.txt");
  await expect.poll(() => (existsSync(file) ? readFileSync(file, "utf8") : undefined)).toBe("hi");
  expect(await tui.quit()).toBe(0);
});

test.each([
  ["dumb", ["TERM=dumb"]],
  ["not set", ["-u", "TERM"]],
])("with TERM %s it prints line by line without any escape sequence", async (_, change) => {
  const place = newPlace();
  const command = ["/usr/bin/env", ...change, process.execPath, bin, "-a", "demo"];
  await using terminal = openPty(command, { cwd: place.cwd, env: { ...place.env, ...bareEnv } });
  await terminal.shows("Type a prompt");
  terminal.type("write a.txt hello\r");
  await terminal.shows(/^1\W/m);
  terminal.type("1\r");
  await expect.poll(() => existsSync(join(place.cwd, "a.txt"))).toBe(true);
  terminal.type("say hello there\r");
  await terminal.shows(/^(?:> )?hello there/m);
  terminal.type("/quit\r");
  expect(await terminal.exited).toBe(0);
  expect(terminal.output()).not.toContain("\x1b");
});

test.each(["pipe", "ignore"] as const)(
  "without a terminal on stdin (%s) it says so or reads lines, and exits",
  async (stdin) => {
    const place = newPlace();
    const child = spawn(process.execPath, [bin, "-a", "demo"], {
      cwd: place.cwd,
      env: { ...place.env, ...bareEnv },
      stdio: [stdin, "pipe", "pipe"],
    });
    let printed = "";
    for (const stream of [child.stdout, child.stderr])
      stream?.setEncoding("utf8").on("data", (text) => (printed += text));
    child.stdin?.end("say from a pipe\n");
    const [code] = (await once(child, "close")) as [number];
    expect(printed).not.toContain("\x1b");
    expect(code).toBe(0);
    if (stdin === "pipe") expect(printed).toMatch(/^(?:> )?from a pipe/m);
  },
);

test("shows a paste of 1 MB as one mark and sends it byte for byte, including tabs", async () => {
  const tui = await openInterface(["-a", "demo", "--mode", "edits"]);
  const line = "all:\tbuild\twith tabs\n";
  const text = line.repeat(Math.ceil(2 ** 20 / line.length)).trimEnd();
  await tui.shows(/Demo.* · edits/);
  tui.type("write big.txt ");
  tui.type(keys.paste(text));
  await tui.shows(/\[.*(?:lines|paste).*\]/i);
  tui.type(keys.enter);
  await tui.shows("Wrote big.txt.");
  expect(readFileSync(join(tui.place.cwd, "big.txt"), "utf8") === text).toBe(true);
});

test("leaves no process and keeps the session when the terminal is closed during a turn", async () => {
  const place = newPlace();
  const tui = await openInterface(["-a", "demo"], { place });
  await tui.send("say kept; run sleep 600");
  await tui.shows("y Allow once");
  tui.type("y");
  await until(() => running(place.home).some(({ command }) => command.includes("sleep 600")), "the command");
  // A terminal that is closed sends SIGHUP.
  process.kill(tui.pid, "SIGHUP");
  await until(() => !isAlive(tui.pid) && running(place.home).length === 0, "no process of the session");
  const again = await openInterface(["--resume"], { place });
  await again.shows("say kept; run sleep 600");
  expect(await again.quit()).toBe(0);
});

test("shows control characters and sequences of an agent as text", async () => {
  const tui = await openInterface(["-a", "demo"], { columns: 100, rows: 30 });
  const hostile = "\\x1b]0;owned\\x07\\x1b[2J\\x1b[3J\\x1b[?1049l\\x1b[31mred\\x9b31m\\x07\\x08\\u202e";
  await tui.send(`run printf '${hostile.replaceAll("\\u202e", "\\342\\200\\256").replaceAll("\\x", "\\\\x")}'`);
  await tui.shows("y Allow once");
  tui.type("y");
  await tui.shows("▸ Worked");
  tui.type(keys.ctrl("t"));
  await tui.shows("red");
  expect(tui.output()).not.toContain("\x1b[3J");
  expect(tui.output()).not.toContain("owned\x07");
  expect(tui.output()).not.toContain("\x9b");
  expect(tui.output()).not.toContain("\u202e");
  expect(tui.terminal.terminal.buffer.active.type).toBe("alternate");
});

test("shows a line of 1 MB, and still responds to keys", async () => {
  const tui = await openInterface(["-a", "demo"]);
  await tui.send("big 1048576");
  await tui.shows("▸ Worked");
  tui.type(keys.ctrl("t"));
  await tui.send("say after the line");
  await tui.shows(/^after the line/m);
  expect(await tui.quit()).toBe(0);
});
