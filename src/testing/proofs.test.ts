import { describe, expect, test } from "vitest";
import type { Agent, AgentEntry, Proof } from "../agents/contract.ts";
import { allProofs, proofOf } from "./proofs.ts";
import { standardScenarios } from "./scenarios.ts";
import { cue } from "./script.ts";

const entry = (id: string, proof?: Partial<Proof>): AgentEntry => ({
  id,
  name: `The ${id}`,
  load: () => Promise.resolve({ createAgent: () => ({ proof }) as unknown as Agent }),
});
const entries = [entry("with", { speaks: "anthropic" }), entry("without")];

describe("proofs", () => {
  test("are found by agent id, and a missing one is explained", async () => {
    expect(await proofOf("with", entries)).toEqual({ speaks: "anthropic" });
    await expect(proofOf("without", entries)).rejects.toThrow("The without cannot be pointed at a scripted model.");
    await expect(proofOf("nobody", entries)).rejects.toThrow("There is no agent nobody; there are with, without.");
    expect((await allProofs(entries)).map(({ id }) => id)).toEqual(["with"]);
  });

  test("of the built-in agents spell the calls of standard scenarios, or name the missing tool", async () => {
    const scenarios = new Map(standardScenarios.map((scenario) => [scenario.name, scenario]));
    const place = { arg: undefined, until: 0, lastResult: "", results: 0, images: 0, newest: "task-notification" };
    const proofs = await allProofs();
    expect(proofs.length).toBeGreaterThan(0);
    for (const { proof } of proofs) {
      const script = { scenarios, fallback: "text", cwd: "/work", params: {}, proof };
      for (const { name, steps } of standardScenarios)
        for (const step of steps.keys()) {
          try {
            expect(cue(script, { ...place, name, step }).scenario).toBe(name);
          } catch (error) {
            // Every agent can edit files and run commands; other tools may be missing.
            expect(String(error)).toMatch(/cannot spell a call of (?!write|shell)\w+\.$/);
          }
        }
    }
  });
});
