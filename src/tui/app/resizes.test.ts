/** Random events, keys and resizes: the full screen equals that of a fresh start, and inline every line is printed once. */
import { describe, expect, test } from "vitest";
import { fc } from "../../../test/support/fast-check.ts";
import { history } from "../../../test/support/histories.ts";
import { inTurn, prompted } from "../../../test/support/transcript.ts";
import { quietApp } from "../../../test/support/quiet-app.ts";
import { XtermPort } from "../../../test/support/xterm-port.ts";
import type { ReinsEvent } from "../../events/types.ts";
import { FullScreen } from "../screen/full-screen.ts";
import { InlineScreen } from "../screen/inline-screen.ts";
import { TerminalInputReader } from "../screen/input.ts";
import { plain } from "../wrap.ts";
import type { App } from "./app.ts";
import type { Size } from "./draw.ts";

const size = fc.record({ columns: fc.integer({ min: 1, max: 200 }), rows: fc.integer({ min: 1, max: 60 }) });
/** Text, a new line, PageUp, PageDown, Alt+Up, Tab, Ctrl+T, Ctrl+F, Esc, the leader and a page, the wheel, a drag. */
const key = fc.constantFrom(
  ...[
    "hello ",
    "漢字 ",
    "👩‍👩‍👧",
    "e\u0301",
    "\n",
    "\x7f",
    "\x1b[5~",
    "\x1b[6~",
    "\x1b[1;3A",
    "\t",
    "\x14",
    "\x06a",
    "\x1b[27u",
  ],
  ...["\x18?", "/", "@", "\x1b[<64;5;5M", "\x1b[<0;2;3M\x1b[<32;9;6M", "\x1b[F"],
);
type Step =
  | { readonly events: number }
  | { readonly key: string }
  | { readonly columns: number; readonly rows: number };
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ events: fc.integer({ min: 1, max: 12 }) }),
  fc.record({ key }),
  size,
);
const run = { start: size, events: history, steps: fc.array(step, { maxLength: 10 }) };

interface Played {
  readonly app: App;
  readonly port: XtermPort;
  readonly applied: readonly ReinsEvent[];
}

/** Plays the steps and calls `draw` after each. */
async function play(
  app: App,
  port: XtermPort,
  events: readonly ReinsEvent[],
  steps: readonly Step[],
  draw: (resized: boolean) => void,
): Promise<Played> {
  const reader = new TerminalInputReader(port, (input) => app.input(input));
  let applied = 0;
  for (const one of steps) {
    if ("events" in one) {
      for (const event of events.slice(applied, applied + one.events)) app.sessions.active.apply(event);
      applied = Math.min(events.length, applied + one.events);
    } else if ("key" in one) reader.feed(one.key);
    else await port.resize(one.columns, one.rows);
    draw("columns" in one);
  }
  await port.settle();
  return { app, port, applied: events.slice(0, applied) };
}

/** A new interface in the same state that has drawn nothing yet. */
function freshStart({ app, applied }: Played, size: Size): App {
  const fresh = quietApp();
  const [from, to] = [app.sessions.active, fresh.sessions.active];
  for (const event of applied) to.apply(event);
  for (const id of from.unfolded) to.unfolded.add(id);
  Object.assign(to, {
    editor: from.editor,
    anchor: from.anchor,
    expandAll: from.expandAll,
    browsed: from.browsed,
    unread: from.unread,
  });
  const { overlay, form, requestTop, completion, search, selection, leaderPressed } = app;
  Object.assign(fresh, { overlay, form, requestTop, completion, search, selection });
  const { message } = app.statusFacts();
  if (message !== undefined && !leaderPressed) fresh.flash(message);
  fresh.leaderPressed = leaderPressed;
  // A request takes answers a moment after it was first drawn.
  fresh.frame(size);
  fresh.answerable = app.answerable;
  fresh.sessions.active.unread = from.unread;
  app.stop();
  fresh.stop();
  return fresh;
}

/** Returns whether the terminal has pushed live rows into its scrollback, where the program cannot reach them. */
function liveIsPushed(port: XtermPort, printed: number): boolean {
  const { active } = port.terminal.buffer;
  let line = -1;
  let row = 0;
  for (; row < active.length; row++) {
    if (active.getLine(row)?.isWrapped !== true) line += 1;
    if (line === printed) break;
  }
  return active.baseY > row;
}

/** Every settled line of the transcript was printed exactly once. */
function expectSettled(app: App, printed: readonly string[]): void {
  const { blocks, lines: begun } = app.sessions.active.printed;
  const all = app.sessions.active.blocks(app.look());
  const whole = all.slice(0, blocks);
  const settled = [...whole.flatMap(({ lines }) => lines), ...(all[blocks]?.lines.slice(0, begun) ?? [])];
  if (settled.every(({ laid }) => laid === undefined)) expect(printed.length).toBe(settled.length);
  // A background task is printed in the state in which it began.
  const lines = whole.filter(({ kind }) => kind !== "task").flatMap((block) => block.lines);
  const uncut = lines.filter(({ wrap, laid }) => wrap !== "cut" && laid === undefined);
  const texts = uncut.map(({ prefix = "", text }) => plain(`${prefix}${text}`).trimEnd());
  expect(printed).toEqual(expect.arrayContaining(texts));
}

/** Live rows are cut at the edge, where a wide character may not fit. */
function withoutEnd(row: string): string {
  return row.trimEnd();
}

test("full: after any steps, the screen equals that of a fresh start", async () => {
  await fc.assert(
    fc.asyncProperty(fc.record(run), async ({ start, events, steps }) => {
      const port = new XtermPort(start);
      const app = quietApp();
      const screen = new FullScreen(port);
      screen.start();
      const played = await play(app, port, events, steps, () => screen.draw(app.frame(port)));
      screen.draw(app.frame(port));
      const again = freshStart(played, port);
      await port.settle();
      const other = new XtermPort({ columns: port.columns, rows: port.rows });
      const fresh = new FullScreen(other);
      fresh.start();
      const frame = again.frame(other);
      fresh.draw(frame);
      await other.settle();
      expect(port.screen()).toEqual(other.screen());
      if (frame.cursor !== undefined) expect(port.cursor()).toEqual(other.cursor());
    }),
    { numRuns: 150 },
  );
});

describe.each([false, true])("inline, xterm.js with reflowCursorLine %s", (reflowCursorLine) => {
  test("keeps every line once and in order in the scrollback, above one live area", async () => {
    let whole = 0;
    await fc.assert(
      fc.asyncProperty(fc.record(run), async ({ start, events, steps }) => {
        const port = new XtermPort({ ...start, reflowCursorLine });
        const app = quietApp({ screen: "inline", wrap: "soft" });
        const screen = new InlineScreen(port, { reflow: reflowCursorLine ? "xterm.js-cursor-row" : "xterm.js" });
        screen.start();
        const printed: string[] = [];
        let pushed = false;
        let live: readonly string[] = [];
        const draw = (resized = false): void => {
          if (resized) pushed ||= liveIsPushed(port, printed.length);
          const { print, ...drawn } = app.inlineFrame(port);
          printed.push(...print.map(String));
          live = drawn.rows;
          screen.commit(print);
          screen.draw(drawn);
        };
        draw();
        const played = await play(app, port, events, steps, draw);
        draw();
        await port.settle();
        const lines = port.lines();
        const text = printed.map((line) => plain(line).trimEnd());
        // Ctrl+T changes only lines that are printed later.
        if (!steps.some((one) => "key" in one && one.key === "\x14")) expectSettled(app, text);
        if (pushed) return;
        whole += 1;
        expect(lines.slice(0, text.length).map((line) => line.trimEnd())).toEqual(text);
        expect(played.port.screen().filter((row) => row !== "").length).toBeLessThanOrEqual(port.rows);
        const shown = live.slice(-port.rows).map((row) => plain(row).trimEnd());
        while (shown.at(-1) === "") shown.pop();
        expect(lines.slice(text.length).map(withoutEnd)).toEqual(shown.map(withoutEnd));
      }),
      { numRuns: 150 },
    );
    expect(whole).toBeGreaterThan(60);
  });
});

test("inline, pushes nothing into the scrollback when the terminal shrinks to half during an answer", async () => {
  for (const [columns, rows] of [
    [120, 20],
    [60, 40],
    [61, 40],
    [120, 39],
  ] as const) {
    const port = new XtermPort({ columns: 120, rows: 40 });
    const app = quietApp({ screen: "inline" });
    const screen = new InlineScreen(port, { reflow: "xterm.js" });
    screen.start();
    const printed: string[] = [];
    const draw = (): void => {
      const { print, ...drawn } = app.inlineFrame(port);
      printed.push(...print.map(String));
      screen.commit(print);
      screen.draw(drawn);
    };
    const code = Array.from({ length: 100 }, (_, at) => `const line${at} = "${"x".repeat(100)}";\n`).join("");
    const delta = { type: "message.delta", messageId: "m", text: `\`\`\`js\n${code}` } as const;
    for (const event of inTurn(prompted, delta)) app.sessions.active.apply(event);
    draw();
    await port.resize(columns, rows);
    expect(liveIsPushed(port, printed.length)).toBe(false);
    draw();
    await port.settle();
    expect(port.lines().filter((line) => line.includes("demo"))).toHaveLength(1);
  }
});
