import { expect, test } from "vitest";
import { eventsOfProgram } from "./hooks/events.ts";
import { capabilitiesOf } from "./index.ts";

test("declares for every hook that Reins installs whether it fires, once per channel", () => {
  for (const { hooks } of Object.values(capabilitiesOf)) {
    const { fires, silent, unknown } = hooks!;
    expect([...fires, ...silent, ...unknown].toSorted()).toEqual([...eventsOfProgram].toSorted());
  }
});

test("declares only measured hooks in print mode, and none that a tool waits for", () => {
  const { fires, silent, unknown } = capabilitiesOf.print.hooks!;
  expect(fires).toEqual(["sessionStart", "sessionEnd", "preCompact"]);
  expect(silent).toEqual(["beforeSubmitPrompt", "stop", "afterAgentResponse", "afterAgentThought"]);
  expect(unknown).toEqual(expect.arrayContaining(["preToolUse", "beforeShellExecution"]));
  expect(capabilitiesOf.acp.hooks).toMatchObject({ fires: [], silent: [] });
});
