import { expect, it } from "vitest";
import { toolKinds, tools, type Tool } from "../../events/tools.ts";
import type { EventPayload } from "../../events/types.ts";
import { stamp } from "../../../test/support/histories.ts";
import { TurnSideEffects } from "./side-effects.ts";

const started = (tool: Tool, callId = "c"): EventPayload => ({
  type: "tool.started",
  callId,
  tool,
  nativeName: tool,
  kind: toolKinds[tool],
  title: tool,
  input: {},
});
const ended = (reason: "denied" | "error"): EventPayload => ({
  type: "tool.failed",
  callId: "c",
  error: { message: "It did not." },
  reason,
});
const denied: EventPayload = { type: "permission.resolved", requestId: "r", outcome: "denied", by: "person" };

function after(...events: EventPayload[]): TurnSideEffects {
  const doings = new TurnSideEffects();
  for (const event of stamp(events)) doings.follow(event);
  return doings;
}

const changing = ["write", "edit", "delete", "move", "shell", "notebook", "mcp", "image", "other"];

it.each(tools)("%s", (tool) => expect(after(started(tool)).sideEffect).toBe(changing.includes(tool)));

it("a denied call changed nothing, a failed call may have", () => {
  expect(after(started("shell"), denied, ended("denied")).sideEffect).toBe(false);
  expect(after(started("shell"), ended("error")).sideEffect).toBe(true);
});

it("a file change counts until the next turn", () => {
  const changed: EventPayload = { type: "file.changed", path: "a.ts", op: "modify" };
  expect(after(changed).sideEffect).toBe(true);
  expect(after(changed, { type: "turn.started", origin: "prompt", input: { text: "x" } }).sideEffect).toBe(false);
});

it("remembers a denial until something follows it", () => {
  const said: EventPayload = { type: "message.completed", messageId: "m", text: "Then not." };
  expect(after(started("shell"), denied, ended("denied")).denied).toBe(true);
  expect(after(started("shell"), denied, ended("denied"), said).denied).toBe(false);
  expect(after(started("shell"), denied, ended("denied"), started("read", "d")).denied).toBe(false);
});
