/** Every standard scenario over every wire format, streamed and not. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { wires } from "../../../test/support/wires/index.ts";
import { ask, type Entry, type Heard, type JsonObject } from "../../../test/support/wires/wire.ts";
import { locate, scenarioPrompt } from "../conversation.ts";
import { longText } from "../play.ts";
import type { Act, Scenario } from "../scenario.ts";
import { standardScenarios } from "../scenarios.ts";
import { cue, type NativeAct } from "../script.ts";
import { startScriptedModel, type ScriptedModel } from "../server.ts";

const proof = { toolCall: ({ tool, ...input }: { tool: string }) => ({ name: `my_${tool}`, input }) };
const args: Readonly<Record<string, string>> = { huge: "100000" };

let model: ScriptedModel;
beforeAll(async () => (model = await startScriptedModel({ cwd: "/work", proof })));
afterAll(() => model.close());

interface Reply {
  readonly text: string;
  readonly thought: string;
  readonly calls: readonly unknown[];
}

/** The text, thinking and calls that the acts of a step produce. */
function toldBy(acts: readonly NativeAct[]): Reply {
  const told = { text: "", thought: "", calls: [] as unknown[] };
  for (const act of acts) {
    if ("say" in act) told.text += act.say;
    if ("big" in act) told.text += longText(Number(act.big));
    if ("think" in act) told.thought += act.think;
    if ("callNative" in act) told.calls.push(JSON.parse(JSON.stringify(act.callNative)));
  }
  return told;
}

const scriptOf = (scenario: Scenario) => ({
  scenarios: new Map([[scenario.name, scenario]]),
  fallback: "text",
  cwd: "/work",
  params: {},
  proof,
});

type Trouble = "error" | "page" | "reset" | "cut" | "midError" | "hang";
const troubles: readonly Trouble[] = ["error", "page", "reset", "cut", "midError", "hang"];
const troubleIn = (acts: readonly Act[]): Trouble | undefined =>
  troubles.find((trouble) => acts.some((act) => trouble in act));

const pageIn = (acts: readonly Act[]): string | undefined =>
  acts.flatMap((act) => ("page" in act ? [act.page.text] : []))[0];

const timesOf = (acts: readonly Act[]): number => {
  for (const act of acts)
    for (const trouble of Object.values(act))
      if (typeof trouble === "object" && "times" in trouble) return Number(trouble.times);
  return Number.POSITIVE_INFINITY;
};

/** Sends one request. Returns a string if a failure came instead of an answer. */
async function askOnce(
  wire: JsonObject,
  talk: readonly Entry[],
  stream: boolean,
  page?: string,
): Promise<Heard | Trouble> {
  const leave = new AbortController();
  const before = model.requests.length;
  const answer = ask(model, wire.request(talk, stream), {}, { signal: leave.signal }).then(async (response) => {
    const body = await response.text();
    if (page !== undefined) {
      expect(body).toBe(page);
      return "page";
    }
    if (response.status >= 400) {
      expect(wire.problem(body)).toMatch(/\w/);
      return "error";
    }
    const heard = stream ? wire.streamed(body) : wire.whole(body);
    if (heard.error === undefined) return heard;
    expect(heard.error).toMatch(/overloaded/i);
    return "midError";
  });
  const hung = model.waitFor(({ index, ended }) => index >= before && ended !== undefined);
  if ((await hung).ended === "hung") {
    leave.abort();
    await expect(answer).rejects.toThrow("aborted");
    return "hang";
  }
  // The messages of fetch and its body when a connection is lost.
  return answer.catch((thrown: unknown): Trouble => {
    if (thrown instanceof TypeError && /fetch failed|terminated/.test(thrown.message)) return "cut";
    throw thrown;
  });
}

describe.each(wires)("$speaks", (wire) => {
  describe.each([{ stream: true }, { stream: false }])("stream: $stream", ({ stream }) => {
    test.each(standardScenarios)("plays $name", async (scenario) => {
      const prompt = scenarioPrompt(scenario.name, args[scenario.name], `over ${wire.speaks}, ${stream}`);
      const { acts } = cue(scriptOf(scenario), locate([{ from: "user", text: prompt }]));
      const trouble = troubleIn(acts);
      const comes = trouble === "midError" && !stream ? undefined : trouble;
      for (const act of acts) if ("gate" in act) model.release(act.gate);
      for (let attempt = 1; comes !== undefined && attempt <= Math.min(timesOf(acts), 2); attempt++)
        expect(await askOnce(wire, [{ user: prompt }], stream, pageIn(acts))).toBe(comes === "reset" ? "cut" : comes);
      if (comes !== undefined && timesOf(acts) > 2) return;
      expect(await askOnce(wire, [{ user: prompt }], stream)).toMatchObject(toldBy(acts));
    });
  });

  test.each(standardScenarios.filter(({ steps }) => steps.length > 1))(
    "$name continues after a tool result",
    async (scenario) => {
      const prompt = `${scenarioPrompt(scenario.name)} and on over ${wire.speaks}`;
      const items = [
        { from: "user", text: prompt },
        { from: "model" },
        { from: "tool", text: "ok", failed: false },
      ] as const;
      const { acts } = cue(scriptOf(scenario), locate(items));
      expect(await askOnce(wire, [{ user: prompt }, { results: ["ok"] }], true)).toMatchObject(toldBy(acts));
    },
  );
});
