/** Codex proposes a plan at the end of a turn without waiting; Reins waits for the approval in its place. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { PermissionRequest } from "../../../src/index.ts";
import { scenarioPrompt, type Scenario } from "../../../src/testing/index.ts";
import { all, one } from "../support/events.ts";
import { realAgent } from "../support/real-agent.ts";

const planner: Scenario = {
  name: "planner",
  steps: [
    [{ say: "First a plan." }, { call: { tool: "plan", plan: "# Write it\n\n1. Write x.txt\n" } }],
    [{ say: "Written." }],
    [{ when: "Implement the plan." }, { call: { tool: "write", path: "x.txt", text: "x\n" } }],
    [{ when: "not approved" }, { say: "What should be different?" }],
    [{ when: "Success. Updated" }, { say: "Written." }],
    [{ when: "rejected by user" }, { say: "Then not." }],
  ],
};

test("continues in the same turn after an approval, and asks from then on", async () => {
  const real = await realAgent("codex", { scenarios: [planner] });
  const asked: PermissionRequest[] = [];
  const onPermission = (request: PermissionRequest) => (asked.push(request), "allow" as const);
  const plans = await real.session({ mode: "plan", onPermission });
  const { result, events } = await real.turn(plans, scenarioPrompt("planner"));
  expect(asked).toMatchObject([
    { tool: "plan", title: "Plan: Write it", input: { plan: "# Write it\n\n1. Write x.txt\n" } },
    { tool: "write", title: "Write x.txt" },
  ]);
  expect(all(events, "session.updated").at(-1)).toMatchObject({ mode: "ask", by: "agent" });
  expect(result).toMatchObject({ outcome: "done", text: "Written.", filesChanged: ["x.txt"] });
  expect(existsSync(join(real.cwd, "x.txt"))).toBe(true);
});

test("receives the reason of a rejection, and plans again with the next prompt", async () => {
  const real = await realAgent("codex", { scenarios: [planner] });
  const onPermission = () => ({ decision: "deny", message: "Use another name." }) as const;
  const plans = await real.session({ mode: "plan", onPermission });
  const first = await real.turn(plans, scenarioPrompt("planner"));
  expect(one(first.events, "tool.failed")).toMatchObject({ reason: "denied" });
  expect(first.result).toMatchObject({ outcome: "done", text: "What should be different?" });
  expect(JSON.stringify(real.model.requests.at(-1)?.body)).toContain("Use another name.");
  const second = await real.turn(plans, scenarioPrompt("planner"));
  expect(all(second.events, "permission.requested")).toHaveLength(1);
});

test("ends the turn when cancelled at a plan", async () => {
  const real = await realAgent("codex", { scenarios: [planner] });
  const plans = await real.session({ mode: "plan", attended: true });
  const running = real.turn(plans, scenarioPrompt("planner"));
  await real.when(plans, "permission.requested");
  await plans.cancel();
  expect((await running).result).toMatchObject({ outcome: "cancelled" });
  expect((await real.turn(plans, scenarioPrompt("text"))).result.outcome).toBe("done");
});
