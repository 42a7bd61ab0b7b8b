/** Inline, every committed line stays exactly once and in order, for any frames and resizes. */
import { describe, expect, test } from "vitest";
import { fc } from "../../../test/support/fast-check.ts";
import { XtermPort } from "../../../test/support/xterm-port.ts";
import { InlineScreen } from "./inline-screen.ts";
import { reflowOf } from "./reflow.ts";
import type { Frame } from "./screen.ts";

/** Committed lines begin with `<` and a number, live rows do not. */
const livePart = fc.constantFrom(
  "a",
  "hello world",
  "かな",
  "\x1b[31mred\x1b[0m text",
  "x".repeat(25),
  "long ".repeat(12),
);
const liveRow = fc.oneof(
  fc.array(livePart, { maxLength: 3 }).map((parts) => parts.join("")),
  fc.constant("rule".repeat(60)),
);
const frame: fc.Arbitrary<Frame> = fc.record({
  rows: fc.array(liveRow, { minLength: 1, maxLength: 8 }),
  cursor: fc.record({ row: fc.nat(7), column: fc.nat(60) }),
});
const committed = fc
  .array(fc.constantFrom("", "A", "HELLO WORLD", "漢字漢字", "👩‍👩‍👧", "X".repeat(33), "WORDS ".repeat(40)), {
    maxLength: 4,
  })
  .map((parts) => parts.join("").trimEnd());
const size = fc.record({
  columns: fc.oneof(fc.integer({ min: 1, max: 200 }), fc.integer({ min: 1, max: 24 })),
  rows: fc.oneof(fc.integer({ min: 1, max: 60 }), fc.integer({ min: 1, max: 10 })),
});
const step = fc.oneof(frame, size, fc.array(committed, { maxLength: 3 }));
interface Resize {
  readonly columns: number;
  readonly rows: number;
  /** A frame that was sent before the program knew of the resize, and that the terminal processes afterwards. */
  readonly underWay?: Frame | undefined;
}

type Step = Frame | readonly string[] | Resize;

/** Number of rows at the start of the scrollback that belong to committed lines. */
function committedRows({ terminal }: XtermPort): number {
  const { active } = terminal.buffer;
  let row = 0;
  for (; row < active.length; row++) {
    const line = active.getLine(row);
    if (line?.isWrapped !== true && line?.translateToString().startsWith("<") !== true) break;
  }
  return row;
}

interface Outcome {
  readonly port: XtermPort;
  readonly printed: readonly string[];
  readonly last: Frame;
  /** True when the terminal has pushed live rows into its scrollback before the program was told of the resize. */
  readonly pushed: boolean;
}

async function play(
  start: { readonly columns: number; readonly rows: number },
  steps: readonly Step[],
  reflowCursorLine: boolean,
): Promise<Outcome> {
  const port = new XtermPort({ ...start, reflowCursorLine });
  const screen = new InlineScreen(port, { reflow: reflowCursorLine ? "xterm.js-cursor-row" : "xterm.js" });
  screen.start();
  let last: Frame = { rows: ["prompt"], cursor: { row: 0, column: 0 } };
  let pushed = false;
  const printed: string[] = [];
  screen.draw(last);
  for (const one of steps) {
    if (isLines(one)) {
      const lines = one.map((line, at) => `<${printed.length + at}>${line}`);
      printed.push(...lines);
      screen.commit(lines);
    } else if ("columns" in one) {
      const { columns, rows, underWay } = one;
      await port.resize(columns, rows, () => underWay && screen.draw((last = underWay)));
      pushed ||= port.terminal.buffer.active.baseY > committedRows(port);
    } else last = one;
    screen.draw(last);
    await port.settle();
  }
  await port.settle();
  return { port, printed, last, pushed };
}

function isLines(step: Step): step is readonly string[] {
  return Array.isArray(step);
}

describe.each([false, true])("xterm.js with reflowCursorLine %s", (reflowCursorLine) => {
  test("keeps committed lines once and in order, with one live area and no leftovers, for any frames, lines and resizes", async () => {
    let whole = 0;
    await fc.assert(
      fc.asyncProperty(size, fc.array(step, { maxLength: 12 }), async (start, steps) => {
        const { port, printed, last, pushed } = await play(start, steps, reflowCursorLine);
        const lines = port.lines();
        expect(lines.filter((line) => line.startsWith("<"))).toEqual(printed);
        if (pushed) return;
        whole += 1;
        const fresh = await play({ columns: port.columns, rows: port.rows }, [last], reflowCursorLine);
        const shown = fresh.port.lines();
        expect(lines).toEqual([...printed, ...shown]);
        // The cursor is in its cell, counted from the end of the screen's text.
        const end = (one: XtermPort): number => one.screen().findLastIndex((row) => row !== "");
        if (shown.at(-1) !== "") expect(end(port) - port.cursor().row).toBe(end(fresh.port) - fresh.port.cursor().row);
        expect(port.cursor().column).toBe(fresh.port.cursor().column);
      }),
      { numRuns: 200 },
    );
    // The property holds for runs in which the terminal kept the live rows on its screen; most runs must be of that kind.
    expect(whole).toBeGreaterThan(60);
  });
});

describe.each([false, true])("frames in flight during a resize, reflowCursorLine %s", (reflowCursorLine) => {
  test("neither erases nor repeats a committed line, and shows the last frame", async () => {
    const resize = fc.record({
      columns: size.map((one) => one.columns),
      rows: fc.integer({ min: 1, max: 40 }),
      underWay: frame,
    });
    await fc.assert(
      fc.asyncProperty(size, fc.array(fc.oneof(resize, step), { maxLength: 10 }), async (start, steps) => {
        const { port, printed } = await play(start, steps, reflowCursorLine);
        expect(port.lines().filter((line) => line.startsWith("<"))).toEqual(printed);
      }),
      { numRuns: 200 },
    );
  });

  test("leaves nothing behind when a frame changes only some rows", async () => {
    const rows = ["rule".repeat(20), "> prompt", "rule".repeat(20), "status"];
    const drawn = (status: string): Frame => ({ rows: [...rows.slice(0, 3), status], cursor: { row: 1, column: 8 } });
    const steps = [["A", "B"], drawn("status"), { columns: 50, rows: 24, underWay: drawn("other status") }];
    const { port, printed } = await play({ columns: 80, rows: 24 }, steps, reflowCursorLine);
    expect(port.lines()).toEqual([
      ...printed,
      ...["rule".repeat(20).slice(0, 50), "> prompt", "rule".repeat(20).slice(0, 50), "other status"],
    ]);
  });
});

test("knows the reflow rules of a terminal by its environment", () => {
  expect(reflowOf({ TERM: "xterm-256color" })).toBe("all");
  expect(reflowOf({ TERM: "xterm-256color", TERM_PROGRAM: "vscode" })).toBe("xterm.js");
  expect(reflowOf({ TERM: "screen-256color", TERM_PROGRAM: "vscode", TMUX: "/tmp/tmux-1" })).toBe("all");
  expect(reflowOf({ TERM: "xterm-256color", XTERM_VERSION: "XTerm(390)" })).toBe("none");
  expect(reflowOf({ TERM: "linux" })).toBe("none");
  expect(reflowOf({})).toBe("all");
});
