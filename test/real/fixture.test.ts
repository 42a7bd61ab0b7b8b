/** The fixture that all real tests use. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { scenarioPrompt } from "../../src/testing/index.ts";
import { realAgent } from "./support/real-agent.ts";

const scenarios = [{ name: "mine", steps: [[{ say: "My own scenario." }]] }];

test("runs an agent in its workspace and collects its events", async () => {
  const real = await realAgent("claude");
  const session = await real.session({ mode: "edits" });
  const { result, events } = await real.turn(session, scenarioPrompt("write", "new.txt"));
  expect(result.outcome).toBe("done");
  expect(readFileSync(join(real.cwd, "new.txt"), "utf8")).toBe("hello world\n");
  expect(events.map((event) => event.type)).toContain("file.changed");
  await real.when(session, "turn.completed");
  expect(real.said(session)).toEqual(expect.arrayContaining([...events]));
  expect(real.model.requests.map((request) => request.scenario)).toEqual(["write", "write"]);
});

test("lets a test wait for events and gates instead of time", async () => {
  const real = await realAgent("claude");
  const session = await real.session();
  const turn = session.prompt(scenarioPrompt("slow-text"));
  await real.when(session, "message.delta");
  real.model.release("slow");
  expect((await turn.result).text).toBe("The first half, and the second.");
});

test("accepts custom scenarios, in a second turn and a second Reins", async () => {
  const real = await realAgent("claude", { scenarios });
  const session = await real.session();
  expect((await real.turn(session, scenarioPrompt("text"))).result.text).toBe("Hello from the scripted model.");
  expect((await real.turn(session, scenarioPrompt("mine"))).result.text).toBe("My own scenario.");
  const other = await real.session({}, real.another());
  expect((await real.turn(other, scenarioPrompt("mine"))).result.text).toBe("My own scenario.");
});
