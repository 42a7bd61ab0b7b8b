/** An agent's text cannot move the cursor, change a mode or break a row at any size; lines of 1 MB are handled. */
import { describe, expect, test } from "vitest";
import { quietApp } from "../../../test/support/quiet-app.ts";
import { inTurn } from "../../../test/support/transcript.ts";
import type { EventPayload, ReinsEvent } from "../../events/types.ts";
import { styledColumns } from "../wrap.ts";
import type { App } from "./app.ts";
import type { Size } from "./draw.ts";
import { picker, textField } from "./overlay.ts";

const bad =
  "\x1b[2J\x1b[3J\x1b]0;title\x07\x1b]52;c;AAAA\x07\x1bPq\x1b\\\x9b31m\x07\x08\r\x00\x7f\u202e\u200b漢字👩‍👩‍👧 end";
const huge = `${bad}${"x".repeat(1_000_000)}`;

function events(text: string): ReinsEvent[] {
  const call = { callId: "c", tool: "shell", nativeName: text, kind: "execute", title: text } as const;
  const all: EventPayload[] = [
    { type: "turn.started", origin: "prompt", input: { text } },
    { type: "session.updated", title: text, by: "agent" },
    {
      type: "message.completed",
      messageId: "m",
      text: `${text}\n\n# ${text}\n\n\`\`\`js\n${text}\n\`\`\`\n\n| a | b |\n|---|---|\n| ${text} | c |\n`,
    },
    { type: "thought.completed", messageId: "t", text },
    { type: "plan.updated", entries: [{ text, status: "in_progress" }] },
    { type: "notice", level: "warning", code: "stderr", message: text },
    { type: "tool.started", ...call, input: { command: text, [text]: text } },
    { type: "tool.progress", callId: "c", output: text },
    {
      type: "tool.completed",
      callId: "c",
      durationMs: 1,
      output: {
        text,
        bytes: 1,
        kept: 1,
        content: [
          { type: "image", mediaType: text, data: text },
          { type: "resource", uri: text, text },
        ],
      },
    },
    { type: "file.changed", path: text, op: "modify", diff: `--- a/a\n+++ b/a\n@@ -1 +1 @@\n-${text}\n+${text}!\n` },
    {
      type: "permission.requested",
      requestId: "r",
      callId: "c",
      tool: "shell",
      title: text,
      input: { command: text },
      reason: text,
      options: [],
    } as unknown as EventPayload,
  ];
  return inTurn(...all);
}

/** Rows contain no sequences but styles, and no row is wider than the screen. */
function expectInert(rows: readonly string[], width?: number): void {
  for (const row of rows) {
    const plain = row.replace(/\x1b\[[\d;]*m/g, "");
    if (/[\x00-\x1f\x7f-\x9f\u202a-\u202e]/.test(plain))
      throw new Error(`Not inert: ${JSON.stringify(plain.slice(0, 200))}`);
    if (width !== undefined) expect(styledColumns(row)).toBeLessThanOrEqual(width);
  }
}

function expectInertApp(app: App, size: Size, text: string): void {
  for (const event of events(text)) app.sessions.active.apply(event);
  if (app.screen === "full") return expectInert(app.frame(size).rows, size.columns);
  const { rows, print } = app.inlineFrame(size);
  expectInert(rows, size.columns);
  expectInert(print.map((line) => (typeof line === "string" ? line : "an image")));
}

const sizes = [
  { columns: 1, rows: 1 },
  { columns: 20, rows: 5 },
  { columns: 80, rows: 24 },
  { columns: 200, rows: 50 },
];

function overlays(app: App, text: string): void {
  const items = [{ id: "a", label: text, detail: text }];
  const all = [
    picker(text, items, () => undefined),
    textField(text, () => undefined, { note: text }),
    { kind: "confirm", title: text, lines: [{ text: "sure?" }], yes: "yes", accept: () => undefined } as const,
  ];
  for (const overlay of all) {
    app.overlay = overlay;
    expectInert(app.frame(app.size).rows, app.size.columns);
  }
  app.overlay = undefined;
}

describe.each(sizes)("at $columns x $rows", (size) => {
  test.each(["full", "inline"] as const)("neutralises control characters in the %s screen", (screen) => {
    const app = quietApp({ screen });
    expectInertApp(app, size, bad);
    app.sessions.active.expandAll = true;
    if (screen === "full") {
      expectInert(app.frame(size).rows, size.columns);
      overlays(app, "a title that is longer than twenty columns 漢字");
    }
    app.stop();
  });
});

test.each(["full", "inline"] as const)("fits lines of 1 MB and neutralises them in the %s screen", (screen) => {
  const app = quietApp({ screen });
  expectInertApp(app, { columns: 80, rows: 24 }, huge);
  app.stop();
});
