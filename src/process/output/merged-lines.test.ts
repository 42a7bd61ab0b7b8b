import { expect, test } from "vitest";
import { StandInChild } from "../../../test/support/stand-in-child.ts";
import { mergeLines } from "./merged-lines.ts";
import type { LineBatch } from "../types.ts";

function besideOf() {
  const taken: string[] = [];
  let say: (line: string) => void = () => {};
  const beside = {
    listen: (listener: (line: string) => void) => void (say = listener),
    take: (line: string) => line.startsWith("aside ") && taken.push(line) > 0,
  };
  return { beside, taken, say: (line: string) => say(line) };
}

const next = async (lines: AsyncIterator<LineBatch>) => (await lines.next()).value?.lines as unknown;

test("inserts lines of the second channel in the order of arrival", async () => {
  const child = new StandInChild();
  const { beside, say } = besideOf();
  const lines = mergeLines(child, beside).lines[Symbol.asyncIterator]();
  say("first");
  expect(await next(lines)).toEqual(["first"]);
  const waiting = next(lines);
  say("second");
  expect(await waiting).toEqual(["second"]);
  child.print("third", "fourth");
  expect(await next(lines)).toEqual(["third", "fourth"]);
  child.exit();
  expect((await lines.next()).done).toBe(true);
});

test("pauses the child while nobody reads", async () => {
  const child = new StandInChild();
  const { beside } = besideOf();
  mergeLines(child, beside);
  child.print("a");
  await Promise.resolve();
  expect(child.taken).toBe(0);
});

test("sends each line either to the channel or to stdin", async () => {
  const child = new StandInChild();
  const { beside, taken } = besideOf();
  const both = mergeLines(child, beside);
  await both.write("aside {}\n");
  await both.write('{"type":"user"}\n');
  expect(taken).toEqual(["aside {}\n"]);
  expect(child.received).toEqual([{ type: "user" }]);
  both.closeStdin();
  expect(child.stdinClosed).toBe(true);
  expect(both.stderrTail()).toBe("");
  expect(both.pid).toBe(child.pid);
  await both.stop();
  expect(await both.exited).toEqual({ code: null, signal: "SIGTERM" });
});

test("returns a child without a second channel unchanged", () => {
  const child = new StandInChild();
  expect(mergeLines(child, undefined)).toBe(child);
});

test("pulls the stream of the channel, which may end before the child", async () => {
  const child = new StandInChild();
  const { beside } = besideOf();
  let pulled = 0;
  async function* stream(): AsyncGenerator<LineBatch> {
    for (const line of ["one", "two"]) {
      pulled++;
      yield { lines: [line], overlong: 0 };
    }
  }
  const lines = mergeLines(child, { ...beside, lines: stream() }).lines[Symbol.asyncIterator]();
  expect(pulled).toBe(0);
  expect(await next(lines)).toEqual(["one"]);
  expect(pulled).toBe(1);
  expect(await next(lines)).toEqual(["two"]);
  child.print("three");
  expect(await next(lines)).toEqual(["three"]);
  child.exit();
  expect((await lines.next()).done).toBe(true);
});
