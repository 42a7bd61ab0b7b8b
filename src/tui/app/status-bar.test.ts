import { expect, test } from "vitest";
import { columnsOf } from "../../events/columns.ts";
import { themes } from "../themes.ts";
import { plain } from "../wrap.ts";
import { SessionView } from "./session-view.ts";
import { statusBar, type StatusFacts } from "./status-bar.ts";

const facts: StatusFacts = {
  view: new SessionView("/work", { agent: "some", model: "big-1", mode: "read" }),
  ...{ agentName: "Some Agent", agentVersion: "1.2.0", newerVersion: "1.3.0", mode: "Ask", version: "0.9.0", now: 0 },
  ...{ message: undefined, waitingElsewhere: 1, cloudAgents: 2, editorMode: undefined },
};
const bar = (width: number, more: Partial<StatusFacts> = {}): string =>
  plain(statusBar({ ...facts, ...more }, width, themes.none));

test("shows agent, model, mode in the agent's word, and versions with a mark for a newer one", () => {
  const text = bar(160);
  expect(text).toMatch(/^ Some Agent · big-1 · Ask +1 waiting elsewhere · 2 in the cloud · /);
  expect(text).toContain("Some Agent 1.2.0 ↑ 1.3.0");
  expect(text.trimEnd()).toMatch(/reins 0\.9\.0$/);
  expect(bar(160, { newerVersion: undefined })).not.toContain("↑");
});

test("the limit that is nearest to its end is told in people's words", () => {
  const view = new SessionView("/work", { agent: "some" });
  const stamp = { v: 1, sessionId: "s", agent: "some", time: "2026-01-01T00:00:00.000Z" } as const;
  for (const [seq, window] of ["five_hour", "seven_day"].entries())
    view.apply({ ...stamp, seq: seq + 1, type: "limit.updated", window, status: "ok", usedPercent: 90 - seq });
  expect(bar(160, { view })).toContain("5-hour limit 90 %");
});

test.each([1, 20, 80, 200])("fits into one row at %d columns", (width) => {
  expect(columnsOf(bar(width))).toBeLessThanOrEqual(width);
  expect(bar(width, { agentName: "\u001b[2J evil\nname" })).not.toMatch(/[\u001b\n]/);
});
