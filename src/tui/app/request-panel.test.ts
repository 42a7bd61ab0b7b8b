import { expect, test } from "vitest";
import { quietApp } from "../../../test/support/quiet-app.ts";
import { inTurn } from "../../../test/support/transcript.ts";
import { columnsOf } from "../../events/columns.ts";
import type { EventPayload } from "../../events/types.ts";
import { answersTo } from "../../view/answer-keys.ts";
import type { PermissionItem } from "../../view/model.ts";
import { overlayKey, drawOverlay, type Confirm, type Overlay } from "./overlay.ts";
import { themes } from "../themes.ts";
import { plain } from "../wrap.ts";
import type { App } from "./app.ts";
import { confirmLater } from "./confirm-later.ts";
import { permissionPanel } from "./request-panel.ts";

const key = (name: string) => ({ name, ctrl: false, alt: false, shift: false });

function asking(asked: object): App {
  const app = quietApp();
  const request = { type: "permission.requested", requestId: "r", callId: "c", title: "it", options: [], ...asked };
  const started: EventPayload = { type: "turn.started", origin: "prompt", input: { text: "go" } };
  for (const event of inTurn(started, request as unknown as EventPayload)) app.sessions.active.apply(event);
  return app;
}

const screen = (app: App): string =>
  app
    .frame({ columns: 80, rows: 24 })
    .rows.map((row) => plain(row))
    .join("\n");

test.each([
  ["a command", { tool: "shell", input: { command: "ls", sandbox: false } }],
  ["a plan", { tool: "plan", input: { plan: "# Go", sandbox: false } }],
  ["an edit", { tool: "edit", diff: "--- a/a\n+++ b/a\n@@ -1 +1 @@\n-a\n+b", input: { path: "a", sandbox: false } }],
])("shows the other input fields of a request for %s", (_, asked) => {
  const app = asking(asked);
  expect(screen(app)).toContain("sandbox: false");
  app.stop();
});

test.each([26, 40, 80, 120])("at %d columns no answer is broken in the middle of its label", (width) => {
  const app = asking({ tool: "shell", input: { command: "ls" }, inputChangeable: true });
  const request = app.sessions.active.conversation.waiting[0] as PermissionItem;
  const answers = answersTo(request, undefined);
  const { keys } = permissionPanel(request, answers, { ...app.look(), width });
  expect(keys.flatMap(({ text }) => plain(text).split(" · "))).toEqual(answers.map((one) => `${one.key} ${one.label}`));
  for (const { text } of keys) expect(columnsOf(plain(text))).toBeLessThanOrEqual(width);
  app.stop();
});

test("can scroll to every row of a long input", () => {
  const lines = Array.from({ length: 60 }, (_, at) => `echo row-${at}.`);
  const app = asking({ tool: "shell", input: { command: lines.join("\n") } });
  const seen = new Set<string>();
  for (let top = 0; top <= 60; top++) {
    app.requestTop = top;
    const shown = screen(app);
    for (const line of lines) if (shown.includes(line)) seen.add(line);
  }
  expect(lines.filter((line) => !seen.has(line))).toEqual([]);
  expect(screen(app)).toContain("the end");
  app.stop();
});

test("scrolls a long confirmation and shows its length", () => {
  const lines = Array.from({ length: 60 }, (_, at) => ({ text: `row-${at}.` }));
  let overlay: Overlay | undefined = { kind: "confirm", title: "Send", lines, yes: "send", accept: () => undefined };
  const drawn = (): string => drawOverlay(overlay!, 60, 20, themes.none).rows.join("\n");
  expect(drawn()).toContain("1-18 of 60");
  overlay = overlayKey(overlay, key("end"), 18).overlay;
  expect(drawn()).toContain("row-59.");
  expect(drawn()).toContain("43-60 of 60");
});

test("ignores a key that was pressed before the confirmation appeared", () => {
  const app = quietApp();
  let answers = 0;
  const confirm: Confirm = { kind: "confirm", title: "Run", lines: [], yes: "run", accept: () => answers++ };
  confirmLater(app, confirm);
  app.input({ kind: "key", key: { ...key("y"), text: "y" } });
  app.input({ kind: "key", key: key("enter") });
  expect(answers).toBe(0);
  expect(app.overlay).toMatchObject({ title: "Run", waits: true });
  // An overlay that the person opened in the meantime is not replaced.
  confirmLater(app, { ...confirm, title: "Other" });
  expect(app.overlay).toMatchObject({ title: "Run" });
  app.stop();
});
