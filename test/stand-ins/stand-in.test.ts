import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { accessSync, constants } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterAll, beforeAll, expect, test } from "vitest";
import { leftPids, standIn, type StandInKind, type StandInOptions } from "./stand-in.ts";

let folder: string;
beforeAll(async () => (folder = await mkdtemp(join(tmpdir(), "reins-stand-ins-"))));
afterAll(() => rm(folder, { recursive: true }));

const start = (kind: StandInKind, options: StandInOptions = {}, args: string[] = []) =>
  spawn(standIn(kind, { folder, ...options }), args, { stdio: ["pipe", "pipe", "inherit"] });

async function firstLine(child: ChildProcess): Promise<string> {
  const [line] = (await once(createInterface({ input: child.stdout! }), "line")) as [string];
  return line;
}

/** Sends messages, ends its input, and returns its output and exit. */
async function tell(child: ChildProcess, ...messages: unknown[]) {
  let printed = "";
  child.stdout!.setEncoding("utf8").on("data", (part) => (printed += part));
  child.stdin!.on("error", () => undefined);
  child.stdin!.end(messages.map((message) => JSON.stringify(message) + "\n").join(""));
  const [code, signal] = (await once(child, "close")) as [number | null, string | null];
  return { lines: printed.split("\n").filter((line) => line !== ""), code, signal };
}

const hello = { type: "control_request", request_id: "r-7", request: { subtype: "initialize" } };
const prompt = { type: "user", message: {} };

test("a good one answers with the id of the request", async () => {
  const { lines, code } = await tell(start("good"), hello, prompt);
  expect(JSON.parse(lines[0]!)).toMatchObject({ type: "control_response", response: { request_id: "r-7" } });
  expect(JSON.parse(lines.at(-1)!)).toMatchObject({ type: "result" });
  expect(code).toBe(0);
});

test("answers short commands in every kind", async () => {
  const child = start("exits", { code: 3, commands: { "--version": "1.2.3 (Some)" } }, ["--version"]);
  expect(await tell(child)).toEqual({ lines: ["1.2.3 (Some)"], code: 0, signal: null });
});

test.each([
  ["silent", {}, { lines: [], code: 0 }],
  ["exits", { code: 3 }, { lines: [], code: 3 }],
  ["exits-mid-turn", {}, { code: 0, signal: null }],
  ["crashes-mid-turn", {}, { code: null, signal: "SIGKILL" }],
] as const)("%s", async (kind, options, expected) => {
  const told = await tell(start(kind, options), hello, prompt);
  expect(told).toMatchObject(expected);
  expect(told.lines.some((line) => line.includes('"result"'))).toBe(false);
  expect(told.lines.some((line) => line.includes('"init"'))).toBe(kind.endsWith("mid-turn"));
});

test("answers-twice sends everything twice", async () => {
  const { lines } = await tell(start("answers-twice"), hello, prompt);
  expect(lines.filter((line) => line.includes('"result"'))).toHaveLength(2);
  expect(lines.filter((line) => line.includes("r-7"))).toHaveLength(2);
});

test("garbage prints lines that are not JSON, or not messages", async () => {
  const { lines } = await tell(start("garbage"), prompt);
  expect(lines.length).toBeGreaterThan(10);
  expect(lines.join()).not.toContain('"result"');
});

test("`floods` prints the requested amount before it continues", async () => {
  const { lines } = await tell(start("floods", { flood: { count: 300, bytes: 2_000 } }), prompt);
  expect(lines.filter((line) => line.length > 2_000)).toHaveLength(300);
  expect(lines.at(-1)).toContain('"result"');
});

test("ignores-term survives SIGTERM and the end of its input", async () => {
  const child = start("ignores-term");
  child.stdin.write(JSON.stringify(hello) + "\n");
  await firstLine(child);
  child.stdin.end();
  child.kill("SIGTERM");
  // SIGKILL cannot be ignored; had SIGTERM worked, it would be the reported signal.
  child.kill("SIGKILL");
  expect(await once(child, "exit")).toEqual([null, "SIGKILL"]);
});

test.each(["leaves-child", "leaves-setsid-child"] as const)("%s leaves a living child", async (kind) => {
  const child = start(kind);
  child.stdin.end(JSON.stringify(hello) + "\n");
  await once(child, "exit");
  const [pid] = leftPids(child.spawnfile);
  expect(() => process.kill(pid!, 0)).not.toThrow();
  process.kill(pid!, "SIGKILL");
});

test("not-executable exists and cannot be run", () => {
  const path = standIn("not-executable", { folder });
  expect(() => accessSync(path, constants.R_OK)).not.toThrow();
  expect(() => accessSync(path, constants.X_OK)).toThrow("EACCES");
});
