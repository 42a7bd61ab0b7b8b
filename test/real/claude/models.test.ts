/** Which model answers, and how a change is reported. */
import { expect, test } from "vitest";
import { scenarioPrompt } from "../../../src/testing/index.ts";
import { all, one } from "../support/events.ts";
import { realAgent } from "../support/real-agent.ts";
import { agentPid } from "./support/processes.ts";
import { asked } from "./support/requests.ts";

test("uses the requested model by its short name", async () => {
  const real = await realAgent("claude");
  const session = await real.session({ model: "haiku" });
  await real.turn(session, scenarioPrompt("text"));
  expect(asked(real.model).map((request) => request.model)).toEqual([expect.stringMatching(/^claude-haiku/)]);
  expect(one(real.said(session), "session.started").model).toBe(asked(real.model)[0]!.model);
});

test("changes the model during a session", async () => {
  const real = await realAgent("claude");
  const session = await real.session({ model: "opus" });
  await real.turn(session, scenarioPrompt("text"));
  await session.configure({ model: "sonnet" });
  await real.turn(session, scenarioPrompt("text"));
  const models = asked(real.model).map((request) => request.model);
  expect(models[0]).toMatch(/^claude-opus/);
  expect(models.at(-1)).toMatch(/^claude-sonnet/);
  const updates = all(real.said(session), "session.updated").filter((event) => event.model !== undefined);
  expect(updates[0]).toMatchObject({ model: "sonnet", by: "person" });
  expect(updates.filter((event) => event.by === "agent")).toEqual([]);
});

test("keeps a changed model in a new process", async () => {
  const real = await realAgent("claude");
  const session = await real.session({ model: "opus" });
  await real.turn(session, scenarioPrompt("text"));
  await session.configure({ model: "haiku" });
  process.kill(agentPid(real.home), "SIGKILL");
  await real.when(session, "process.exited");
  await real.turn(session, scenarioPrompt("text"));
  expect(asked(real.model).at(-1)!.model).toMatch(/^claude-haiku/);
});

test("reports that the fallback model took over when the model is overloaded", async () => {
  const real = await realAgent("claude");
  const session = await real.session({ model: "opus", fallbackModel: "sonnet" });
  const { result, events } = await real.turn(session, scenarioPrompt("error-529-thrice"));
  expect(result).toMatchObject({ outcome: "done", text: "It worked in the end." });
  const changed = all(events, "session.updated").filter((event) => event.model !== undefined);
  expect(changed).toMatchObject([
    { model: expect.stringMatching(/^claude-sonnet/), by: "agent", reason: expect.any(String) },
  ]);
  expect(asked(real.model).map((request) => request.model.split("-")[1])).toEqual(["opus", "opus", "opus", "sonnet"]);
});

test("fails for a model that the service does not know", async () => {
  const real = await realAgent("claude");
  const session = await real.session({ model: "no-such-model" });
  const { result } = await real.turn(session, scenarioPrompt("error-404"));
  expect(asked(real.model)[0]!.model).toBe("no-such-model");
  expect(result).toMatchObject({ outcome: "failed", error: { code: "model_unknown", retryable: false } });
  expect(result.error!.help).toEqual(expect.any(String));
});

test("refuses an unknown model during a session, which keeps the former one", async () => {
  const unknown = { name: "text", steps: [[{ error: { status: 404, message: "model: no-such-model" } }]] };
  const real = await realAgent("claude", { scenarios: [unknown] });
  const session = await real.session({ model: "opus" });
  await real.turn(session, scenarioPrompt("echo", "one"));
  await expect(session.configure({ model: "no-such-model" })).rejects.toMatchObject({ code: "model_unknown" });
  expect((await real.turn(session, scenarioPrompt("echo", "two"))).result.text).toBe("two");
  expect(asked(real.model).at(-1)!.model).toMatch(/^claude-opus/);
});
