/** Scrolling, copying, searching and changing the screen while an agent works. */
import { expect, test } from "vitest";
import { quietApp } from "../../../test/support/quiet-app.ts";
import { ended, inTurn, prompted, said } from "../../../test/support/transcript.ts";
import { stamp } from "../../../test/support/histories.ts";
import { keys, openTui } from "../../../test/support/tui.ts";
import { XtermPort } from "../../../test/support/xterm-port.ts";
import type { Session } from "../../core/api.ts";
import type { EventPayload } from "../../events/types.ts";
import { TerminalInputReader } from "../screen/input.ts";
import { plain } from "../wrap.ts";
import { SessionView } from "./session-view.ts";

const size = { columns: 80, rows: 20 };
const tool = (at: number): readonly EventPayload[] => [
  {
    type: "tool.started",
    callId: `c${at}`,
    tool: "shell",
    nativeName: "Bash",
    kind: "execute",
    title: `Run ${at}`,
    input: {},
  },
  { type: "tool.completed", callId: `c${at}`, output: { text: "", bytes: 0, kept: 0 }, durationMs: 1 },
];

test("scrolled up, keeps the visible rows during output and at the end of the turn, counts new rows, and follows again on End", () => {
  const app = quietApp();
  const reader = new TerminalInputReader(new XtermPort(size), (input) => app.input(input));
  const view = app.sessions.active;
  const steps = Array.from({ length: 60 }, (_, at) => tool(at)).flat();
  const more = Array.from({ length: 12 }, (_, at) => tool(100 + at)).flat();
  const all = inTurn(prompted, ...steps, ...more, said("The answer."), ended());
  const apply = (from: number, to: number): void => all.slice(from, to).forEach((event) => view.apply(event));
  const rows = (): string[] => app.frame(size).rows.map(plain);
  apply(0, 1 + steps.length);
  expect(rows().join("\n")).toContain("Run 59");
  reader.feed("\x1b[5~");
  const before = rows();
  const reading = before.filter((row) => row.includes("Run "));
  expect(reading.length).toBeGreaterThan(3);
  expect(before.join("\n")).toMatch(/── \d+ rows below/);
  apply(1 + steps.length, 1 + steps.length + more.length);
  expect(rows().filter((row) => row.includes("Run "))).toEqual(reading);
  expect(rows().join("\n")).toContain("── 12 new rows below");
  apply(1 + steps.length + more.length, all.length);
  expect(rows().filter((row) => row.includes("Run "))).toEqual(reading);
  reader.feed("\x1b[F");
  const after = rows().join("\n");
  expect(after).toContain("The answer.");
  expect(after).toContain("▸ Worked");
  expect(after).not.toContain("new rows");
});

test("jumps from prompt to prompt with Alt+Up, and searches blocks that were never drawn", () => {
  const app = quietApp();
  const reader = new TerminalInputReader(new XtermPort(size), (input) => app.input(input));
  const events = Array.from({ length: 300 }, (_, at): (EventPayload & { turnId: string })[] => {
    const started = { type: "turn.started", origin: "prompt", input: { text: `prompt ${at}` } } as const;
    return [started, said(at === 3 ? "the needle" : "an answer", `m${at}`), ended()].map((one) => ({
      ...one,
      turnId: `t${at}`,
    }));
  });
  for (const event of stamp(events.flat())) app.sessions.active.apply(event);
  const rows = (): string[] => app.frame(size).rows.map(plain);
  const end = rows();
  expect(end.join("\n")).toContain("prompt 299");
  reader.feed("\x1b[5~\x1b[F");
  expect(rows()).toEqual(end);
  reader.feed("\x1b[1;3A");
  const first = rows().find((row) => row.startsWith("❯ "));
  reader.feed("\x1b[1;3A");
  const second = rows().find((row) => row.startsWith("❯ "));
  expect(Number(/\d+/.exec(second!)) + 1).toBe(Number(/\d+/.exec(first!)));
  reader.feed("\x06needle");
  expect(rows().join("\n")).toContain("the needle");
  expect(rows().join("\n")).toContain("1 of 1");
});

test.each([
  [
    "prose",
    `say ${"some words of a long paragraph ".repeat(8).trim()}`,
    "some words of a long paragraph ".repeat(8).trim(),
  ],
  ["inline, a word longer than the screen", `say ${"x".repeat(200)}`, "x".repeat(200)],
])("copies %s wider than the screen from the inline scrollback as one line", async (_, prompt, source) => {
  const tui = openTui({ ui: { screen: "inline", wrap: "soft" }, columns: 40 });
  tui.send(prompt);
  await tui.shows(source.slice(-20));
  await tui.hides("Esc Esc stops");
  await tui.port.settle();
  expect(tui.port.lines()).toContain(source);
});

test("copies the source text when dragging over wrapped rows in the full screen", async () => {
  const tui = openTui({ columns: 40 });
  const source = "some words of a long paragraph ".repeat(8).trim();
  tui.send(`say ${source}`);
  await tui.shows(/^some words of a long/m);
  await tui.hides("Esc Esc stops");
  const rows = tui.port.screen();
  const from = rows.findIndex((row) => row.startsWith("some words of a long"));
  const to = rows.findLastIndex((row) => row.endsWith("paragraph"));
  expect(to).toBeGreaterThan(from);
  tui.type(`\x1b[<0;1;${from + 1}M\x1b[<32;5;${to + 1}M\x1b[<0;5;${to + 1}m`);
  await tui.shows("Copied.");
  const copied = /\x1b\]52;c;([^\x07]*)\x07/.exec(tui.port.log.join(""))?.[1];
  expect(Buffer.from(copied!, "base64").toString()).toBe(source);
});

test("changes the screen during a turn with /inline and /full, and keeps draft and session", async () => {
  const tui = openTui();
  tui.send("say first words; sleep 600000");
  await tui.shows("first words");
  tui.send("/inline");
  await tui.shows("first words");
  await tui.port.settle();
  expect(tui.port.terminal.buffer.active.type).toBe("normal");
  tui.type("my draft");
  tui.type(`${keys.ctrl("x")}i`);
  await tui.shows("my draft");
  await tui.port.settle();
  expect(tui.port.terminal.buffer.active.type).toBe("alternate");
  expect(tui.screen()).toContain("first words");
  expect(tui.screen()).toContain("Esc Esc stops");
});

test("prints the last turn to the main screen when leaving the full screen", async () => {
  const tui = openTui();
  tui.send("say the words that stay");
  await tui.shows(/^the words that stay/m);
  await tui.hides("Esc Esc stops");
  tui.send("/quit");
  await tui.ended;
  await tui.port.settle();
  expect(tui.port.terminal.buffer.active.type).toBe("normal");
  expect(tui.port.lines().filter((line) => line === "the words that stay")).toHaveLength(1);
});

test("draws nothing for text of a session in the background, but for its end", async () => {
  const app = quietApp();
  let draws = 0;
  Object.assign(app.output, { changed: () => void draws++ });
  const shown: string[] = [];
  const delta: EventPayload = { type: "message.delta", messageId: "m", text: "word " };
  const events = inTurn(prompted, delta, delta, delta, ended());
  const finished = Promise.withResolvers<void>();
  const session = {
    id: "ses_other",
    async *events() {
      for (const event of events) {
        draws = 0;
        yield event;
        if (draws > 0) shown.push(event.type);
      }
      finished.resolve();
    },
  };
  app.sessions.adopt(new SessionView("/work", {}), session as unknown as Session);
  await finished.promise;
  expect(shown).toEqual(["turn.started", "turn.completed"]);
});
