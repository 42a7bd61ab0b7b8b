import { expect, test } from "vitest";
import { eventsOfProgram } from "./hooks/events.ts";
import { capabilitiesOf } from "./index.ts";

test("each channel declares of every hook that Reins puts there whether it fires, once", () => {
  for (const { hooks } of Object.values(capabilitiesOf)) {
    const { fires, silent, unknown } = hooks!;
    expect([...fires, ...silent, ...unknown].toSorted()).toEqual([...eventsOfProgram].toSorted());
  }
});

test("headless, what was measured is declared, and what a tool waits for is not promised", () => {
  const { fires, silent, unknown } = capabilitiesOf.print.hooks!;
  expect(fires).toEqual(["sessionStart", "sessionEnd", "preCompact"]);
  expect(silent).toEqual(["beforeSubmitPrompt", "stop", "afterAgentResponse", "afterAgentThought"]);
  expect(unknown).toEqual(expect.arrayContaining(["preToolUse", "beforeShellExecution"]));
  expect(capabilitiesOf.acp.hooks).toMatchObject({ fires: [], silent: [] });
});
