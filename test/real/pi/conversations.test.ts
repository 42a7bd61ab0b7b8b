/** Conversations: pi's own files, which are resumed, copied, handed over and compacted. */
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { scenarioPrompt } from "../../../src/testing/index.ts";
import { all, one } from "../support/events.ts";
import { realAgent } from "../support/real-agent.ts";

const said = (items: readonly unknown[] | undefined): string => JSON.stringify(items);

test("resumes in another folder as a copy and works there", async () => {
  const real = await realAgent("pi");
  const session = await real.session({ mode: "full" });
  const { result } = await real.turn(session, scenarioPrompt("text", undefined, "Remember the lion."));
  await session.close();
  const elsewhere = join(real.home, "elsewhere");
  mkdirSync(elsewhere);
  const moved = await real.session({ mode: "full", resume: result.state!, cwd: elsewhere });
  const shell = await real.turn(moved, scenarioPrompt("shell", "touch here.txt && pwd"));
  expect(one(shell.events, "tool.completed").output.text).toContain("/elsewhere");
  expect(shell.result.state).not.toBe(result.state);
  expect(said(real.model.requests.at(-1)!.items)).toContain("Remember the lion.");
  const usage = all(real.said(moved), "usage.updated").filter(({ scope }) => scope === "session");
  // The earlier text, and the two answers of this turn.
  expect(usage.at(-1)!.tokens).toMatchObject({ input: 300, output: 60 });
});

test("passes earlier messages as history", async () => {
  const real = await realAgent("pi");
  const session = await real.session({
    history: [
      { role: "person", text: "My cat is called Minka." },
      { role: "agent", text: "A fine name for a cat." },
    ],
  });
  const { result } = await real.turn(session, scenarioPrompt("text"));
  expect(result.outcome).toBe("done");
  const body = JSON.stringify(real.model.requests.at(-1)!.body);
  expect(body).toContain("My cat is called Minka.");
  expect(body).toContain("A fine name for a cat.");
});

test("rejects a missing conversation", async () => {
  const real = await realAgent("pi");
  const session = await real.session();
  const { result } = await real.turn(session, scenarioPrompt("text"));
  await session.close();
  rmSync(join(real.home, ".pi/agent", result.state!.slice("pi:1:".length)));
  await expect(real.session({ resume: result.state! })).rejects.toMatchObject({ code: "session_not_found" });
  await expect(real.session({ resume: "pi:1:nothing" })).rejects.toMatchObject({ code: "session_not_found" });
});

test("compacts a conversation on request", async () => {
  const real = await realAgent("pi");
  const session = await real.session();
  const early = await real.turn(session, "/compact");
  expect(early.result).toMatchObject({ outcome: "failed", error: { code: "invalid_input" } });
  await real.turn(session, scenarioPrompt("text", undefined, "One."));
  await real.turn(session, scenarioPrompt("text", undefined, "Two."));
  const { result, events } = await real.turn(session, "/compact Keep the numbers.");
  expect(result.outcome).toBe("done");
  expect(one(events, "context.compacted")).toMatchObject({ trigger: "manual", before: expect.any(Number) as number });
  expect((await real.turn(session, scenarioPrompt("text"))).result.outcome).toBe("done");
});

test("selects models by name with or without a service, and the reasoning effort", async () => {
  const real = await realAgent("pi");
  const session = await real.session({ model: "scripted/scripted-2:low" });
  await real.turn(session, scenarioPrompt("text"));
  expect(real.model.requests.at(-1)!.body).toMatchObject({ model: "scripted-2", reasoning_effort: "low" });
  await session.configure({ model: "scripted:high" });
  await real.turn(session, scenarioPrompt("text"));
  expect(real.model.requests.at(-1)!.body).toMatchObject({ model: "scripted", reasoning_effort: "high" });
  await expect(session.configure({ model: "scripted/nothing" })).rejects.toMatchObject({ code: "model_unknown" });
  await expect(real.session({ model: "nothing-like-it" })).rejects.toMatchObject({ code: "model_unknown" });
});

test("steers a message into a running turn after the running tool", async () => {
  const real = await realAgent("pi");
  const session = await real.session({ mode: "full" });
  const go = join(real.cwd, "go");
  const first = session.prompt(scenarioPrompt("shell", `until [ -e ${go} ]; do sleep 0.2; done`));
  await real.when(session, "tool.started");
  const second = session.prompt(scenarioPrompt("text", undefined, "And this."), { whenBusy: "steer" });
  await real.when(session, "input.added");
  writeFileSync(go, "");
  expect(await first.result).toEqual(await second.result);
  expect(said(real.model.requests.at(-1)!.items)).toContain("And this.");
  expect(real.model.requests).toHaveLength(2);
});
