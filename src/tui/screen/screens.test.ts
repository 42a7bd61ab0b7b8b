import { describe, expect, test } from "vitest";
import { fc } from "../../../test/support/fast-check.ts";
import { XtermPort } from "../../../test/support/xterm-port.ts";
import { FullScreen } from "./full-screen.ts";
import { InlineScreen } from "./inline-screen.ts";
import type { Frame } from "./screen.ts";

const word = fc.constantFrom(
  "",
  "a",
  "hello world",
  "漢字漢字",
  "👩‍👩‍👧",
  "\x1b[31mred\x1b[0m text",
  "x".repeat(20),
  "é",
  "long ".repeat(12),
);
const row = fc.array(word, { maxLength: 3 }).map((words) => words.join(""));
const frame: fc.Arbitrary<Frame> = fc.record({
  rows: fc.array(row, { maxLength: 8 }),
  cursor: fc.option(fc.record({ row: fc.nat(7), column: fc.nat(40) }), { nil: undefined }),
});
const size = fc.record({ columns: fc.integer({ min: 2, max: 40 }), rows: fc.integer({ min: 1, max: 10 }) });

/** Rules for all output: frames are synchronized, and nothing that belongs to the person is erased. */
function checkBytes(log: readonly string[], clears: number): void {
  const all = log.join("");
  expect(all).not.toContain("\x1b[3J");
  expect(all.split("\x1b[2J").length - 1).toBeLessThanOrEqual(clears);
  for (const written of log.slice(1)) expect(written).toMatch(/^\x1b\[\?2026h[^]*\x1b\[\?2026l$/);
}

describe("FullScreen", () => {
  test("shows after any frames and resizes the same as a fresh start", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.oneof(frame, size), { maxLength: 8 }), frame, async (steps, last) => {
        const port = new XtermPort({ columns: 20, rows: 5 });
        const screen = new FullScreen(port);
        screen.start();
        let resizes = 1;
        for (const step of steps) {
          if (!("columns" in step)) screen.draw(step);
          else {
            await port.resize(step.columns, step.rows);
            resizes += 1;
          }
        }
        screen.draw(last);
        await port.settle();
        const fresh = new XtermPort({ columns: port.columns, rows: port.rows });
        const other = new FullScreen(fresh);
        other.start();
        other.draw(last);
        await fresh.settle();
        expect(port.screen()).toEqual(fresh.screen());
        if (last.cursor) expect(port.cursor()).toEqual(fresh.cursor());
        checkBytes(port.log, resizes);
        const written = port.log.length;
        screen.draw({ ...last, rows: [...last.rows] });
        expect(port.log.length).toBe(written);
      }),
      { numRuns: 150 },
    );
  });

  test("writes only the row that changed", () => {
    const port = new XtermPort({ columns: 20, rows: 5 });
    const screen = new FullScreen(port);
    screen.start();
    screen.draw({ rows: ["one", "two", "three"] });
    screen.draw({ rows: ["one", "TWO", "three"] });
    expect(port.log.at(-1)).toBe("\x1b[?2026h\x1b[2;1HTWO\x1b[0m\x1b[K\x1b[?2026l");
  });

  test.each([
    [2, 1],
    [20, 5],
  ])("works at %i x %i with rows that are too long and too many", async (columns, rows) => {
    const port = new XtermPort({ columns, rows });
    const screen = new FullScreen(port);
    screen.start();
    screen.draw({ rows: Array.from({ length: 30 }, () => "y".repeat(50)), cursor: { row: 29, column: 49 } });
    await port.settle();
    expect(port.screen()).toEqual(Array.from({ length: rows }, () => "y".repeat(port.columns)));
    screen.stop();
    await port.settle();
    expect(port.raw).toBe(false);
    expect(port.terminal.buffer.active.type).toBe("normal");
    expect(port.terminal.modes.bracketedPasteMode).toBe(false);
  });
});

describe("InlineScreen", () => {
  test("prints 200 blocks once and in order over 10 resizes, with one status row", async () => {
    const port = new XtermPort({ columns: 80, rows: 24 });
    const screen = new InlineScreen(port, { reflow: "xterm.js" });
    screen.start();
    for (let block = 0; block < 200; block++) {
      screen.commit([`block ${block} ${"text ".repeat(block % 40)}end`]);
      if (block % 20 === 7) await port.resize(30 + ((block * 7) % 90), 10 + (block % 30));
      screen.draw({ rows: ["", `> prompt ${block}`, "s".repeat(port.columns)], cursor: { row: 1, column: 2 } });
    }
    await port.settle();
    const lines = port.lines();
    const blocks = lines.filter((line) => line.startsWith("block "));
    expect(blocks).toEqual(
      Array.from({ length: 200 }, (_, block) => `block ${block} ${"text ".repeat(block % 40)}end`),
    );
    expect(lines.filter((line) => line.startsWith("sss"))).toHaveLength(1);
    const written = port.log.length;
    screen.draw({ rows: ["", `> prompt 199`, "s".repeat(port.columns)], cursor: { row: 1, column: 2 } });
    expect(port.log.length).toBe(written);
  });

  test("shows the last live rows when there are more than the screen has", async () => {
    const port = new XtermPort({ columns: 10, rows: 3 });
    const screen = new InlineScreen(port, { reflow: "xterm.js" });
    screen.start();
    screen.draw({ rows: ["1", "2", "3", "4", "0123456789"], cursor: { row: 4, column: 3 } });
    await port.settle();
    expect(port.screen()).toEqual(["3", "4", "0123456789"]);
    expect(port.cursor()).toEqual({ row: 2, column: 3 });
  });
});

test("suspendFor releases the terminal and redraws everything", async () => {
  const port = new XtermPort({ columns: 20, rows: 5 });
  const screen = new FullScreen(port);
  screen.start();
  screen.draw({ rows: ["hello"] });
  const result = await screen.suspendFor(async () => {
    await port.settle();
    expect(port.raw).toBe(false);
    expect(port.terminal.buffer.active.type).toBe("normal");
    screen.draw({ rows: ["changed meanwhile"] });
    return 7;
  });
  await port.settle();
  expect(result).toBe(7);
  expect(port.raw).toBe(true);
  expect(port.screen()[0]).toBe("changed meanwhile");
});
