/** Differences between wire protocols that must not show in the events. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { scenarioPrompt, type Scenario } from "../../../src/testing/index.ts";
import { all, messages, one } from "../support/events.ts";
import { realAgent } from "../support/real-agent.ts";
import { dialects } from "./support/dialects.ts";

const figures: Scenario = {
  name: "figures",
  steps: [
    [
      { usage: { input: 1_000, output: 200, cacheRead: 5_000, thought: 50 } },
      { think: "I look first." },
      { call: { tool: "read", path: "hello.txt" } },
    ],
    [{ usage: { input: 10, output: 2 } }, { say: "It says: {lastResult}" }],
  ],
};

const png = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

describe.each(dialects)("over $speaks", (proof) => {
  const opened = async (scenarios: readonly Scenario[] = []) => {
    const real = await realAgent("native", { scenarios });
    const env = { ...real.env, ANTHROPIC_API_KEY: "", ...proof.env(real.model.url) };
    return { ...real, reins: real.another({ env }) };
  };

  test("reports token counts alike: cached input is not counted as input", async () => {
    const real = await opened([figures]);
    writeFileSync(join(real.cwd, "hello.txt"), "hello\n");
    const session = await real.session({}, real.reins);
    const { result, events } = await real.turn(session, scenarioPrompt("figures"));
    expect(result.usage).toMatchObject({ input: 1_010, output: 202, cacheRead: 5_000 });
    expect(result.text).toContain("hello");
    expect(all(events, "usage.updated").at(-1)).toMatchObject({ context: { used: 12 } });
    expect(one(events, "thought.completed").text).toBe("I look first.");
    // The reasoning was sent back with the call, in the next turn too, and was accepted.
    expect((await real.turn(session, scenarioPrompt("text"))).result.outcome).toBe("done");
  });

  test("sends an image to the model", async () => {
    const real = await opened();
    const session = await real.session({}, real.reins);
    const attachments = [{ kind: "image", mediaType: "image/png", data: png.toString("base64") }] as const;
    const { events } = await real.turn(session, { text: scenarioPrompt("image"), attachments });
    expect(messages(events)).toEqual(["I see 1 image(s)."]);
  });

  test("maps each failure to its code", async () => {
    const real = await opened();
    const session = await real.session({}, real.reins);
    const outcomes: unknown[] = [];
    for (const scenario of [
      "bad-key",
      "error-403",
      "error-404",
      "credit",
      "prompt-too-long",
      "error-400",
      "quota",
      "refusal",
      "max-tokens",
    ]) {
      const { result } = await real.turn(session, scenarioPrompt(scenario));
      outcomes.push([scenario, result.outcome, result.error?.code]);
      if (scenario === "quota")
        expect(Date.parse(result.error?.resetsAt ?? "") - Date.now()).toBeGreaterThan(3_000_000);
    }
    expect(outcomes).toEqual([
      ["bad-key", "failed", "not_authenticated"],
      ["error-403", "failed", "not_authenticated"],
      ["error-404", "failed", "model_unknown"],
      ["credit", "failed", "quota_exhausted"],
      // By now there is something to compact; a prompt that is still too long then fails.
      ["prompt-too-long", "failed", "context_too_long"],
      ["error-400", "failed", "invalid_input"],
      ["quota", "failed", "quota_exhausted"],
      ["refusal", "refused", "refused"],
      ["max-tokens", "max_tokens", undefined],
    ]);
  });

  test("recovers from a broken answer and a server error without doubled text", async () => {
    const real = await opened();
    const session = await real.session({}, real.reins);
    for (const scenario of ["cut-once", "mid-error-once", "error-500-once", "error-429-once"]) {
      const { result, events } = await real.turn(session, scenarioPrompt(scenario));
      expect(result.outcome).toBe("done");
      expect(all(events, "agent.retrying")).toMatchObject([{ attempt: 1, ofMax: 2 }]);
      expect(messages(events)).toHaveLength(1);
    }
  });

  test("lists its models and checks its key", async () => {
    const real = await opened();
    const manage = await real.reins.manage("native");
    expect((await manage.models({ fresh: true })).length).toBeGreaterThan(0);
    expect(await manage.verify()).toMatchObject({ outcome: "works" });
  });

  test("sends exactly what the preview shows", async () => {
    const real = await opened();
    const session = await real.session({}, real.reins);
    await real.turn(session, scenarioPrompt("thinking"));
    const prompt = scenarioPrompt("text");
    const shown = await real.reins.context({ resume: session.state, cwd: real.cwd, prompt });
    await real.turn(session, prompt);
    expect(shown.request?.body).toEqual(real.model.requests.at(-1)?.body);
  });
});
