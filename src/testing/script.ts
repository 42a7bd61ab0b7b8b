/** Selects the answer for a conversation: the scenario, its step, and the step with all placeholders filled in. */
import { resolve } from "node:path";
import type { Proof, ProofToolCall, SpelledToolCall } from "../agents/contract.ts";
import { ReinsError } from "../events/errors.ts";
import type { Place } from "./conversation.ts";
import type { Act, Limit, Scenario, Step, Stop, Usage } from "./scenario.ts";

/** An act without canonical tool calls, which are translated to the agent's own. */
export type NativeAct = Exclude<Act, { readonly call: unknown }>;

export interface Cue {
  readonly scenario: string;
  readonly step: number;
  /** Index of the step that is played; -1 after the last. */
  readonly played: number;
  readonly acts: readonly NativeAct[];
  readonly stop: Stop | undefined;
  readonly usage: Usage;
  readonly headers: Readonly<Record<string, string>>;
  readonly limit: Limit | undefined;
}

export interface Script {
  readonly scenarios: ReadonlyMap<string, Scenario>;
  /** The scenario of a conversation without a marker. */
  readonly fallback: string;
  readonly cwd: string;
  readonly params: Readonly<Record<string, string>>;
  readonly proof: Pick<Proof, "toolCall" | "asides" | "limitHeaders"> | undefined;
}

/** A tool result may be long; a scenario only needs to show that the model received it. */
const shownResult = 2_000;
const done: Step = [{ say: "Done." }];

/** Throws a ReinsError (`invalid_input`) if there is no such scenario or a call cannot be translated. */
export function cue(script: Script, place: Place): Cue {
  const name = place.name ?? script.fallback;
  const scenario = script.scenarios.get(name);
  if (!scenario) {
    const known = [...script.scenarios.keys()].join(", ");
    throw new ReinsError("invalid_input", `There is no scenario "${name}"; there are ${known}.`);
  }
  const played = stepOf(scenario, place);
  const step = scenario.steps[played] ?? done;
  const values = {
    ...script.params,
    cwd: script.cwd,
    arg: place.arg,
    lastResult: place.lastResult.slice(0, shownResult),
    results: String(place.results),
    images: String(place.images),
    step: String(place.step),
  };
  const acts = fill(step, values).map((act) => ("call" in act ? spelledAct(act.call, script) : act));
  return {
    scenario: name,
    step: place.step,
    played,
    acts,
    stop: pick(acts, "stop"),
    usage: pick(acts, "usage") ?? {},
    headers: pick(acts, "headers") ?? {},
    limit: pick(acts, "limit"),
  };
}

function stepOf({ steps, repeat }: Scenario, place: Place): number {
  const conditional = steps.findIndex((step) => {
    const when = pick(step, "when");
    return when !== undefined && [when].flat().some((words) => place.newest.includes(words));
  });
  if (conditional !== -1) return conditional;
  const plain = [...steps.keys()].filter((index) => steps[index]?.every((act) => !("when" in act)));
  return plain[repeat === true ? place.step % plain.length : place.step] ?? -1;
}

/** Finds a word that applies to the whole answer, wherever it is in the step. */
function pick<W extends "stop" | "usage" | "headers" | "limit" | "when">(
  acts: readonly Act[],
  word: W,
): Extract<Act, Record<W, unknown>>[W] | undefined {
  return acts.find((act): act is Extract<Act, Record<W, unknown>> => word in act)?.[word];
}

function spelledAct(call: ProofToolCall, script: Script): NativeAct {
  const { say, ...callNative } = spell(call, script);
  return say === undefined ? { callNative } : { say };
}

function spell(call: ProofToolCall, script: Script): SpelledToolCall {
  const absolute = (path: string) => (/^\w+:\/\//.test(path) ? path : resolve(script.cwd, path));
  const whole: ProofToolCall = {
    ...call,
    ...(call.path === undefined ? {} : { path: absolute(call.path) }),
    ...(call.tool === "move" && call.to !== undefined ? { to: absolute(call.to) } : {}),
  };
  if (!script.proof)
    throw new ReinsError(
      "invalid_input",
      "A scenario calls a canonical tool, but no agent's proof was given to spell it.",
    );
  const spelled = script.proof.toolCall(whole);
  if (!spelled) throw new ReinsError("invalid_input", `The agent's proof cannot spell a call of ${call.tool}.`);
  return spelled;
}

type Values = Readonly<Record<string, string | undefined>>;

const placeholder = /\{([A-Za-z]+)(?:\|([^{}]*))?\}/g;

/** Fills placeholders in every string of some data: `{cwd}`, `{arg|default}`. A placeholder without a value stays unchanged. */
function fill<T>(data: T, values: Values): T {
  return fillAny(data, values) as T;
}

function fillAny(data: unknown, values: Values): unknown {
  if (typeof data === "string")
    return data.replace(
      placeholder,
      (whole, name: string, otherwise: string | undefined) => values[name] ?? otherwise ?? whole,
    );
  if (Array.isArray(data)) return data.map((entry) => fillAny(entry, values));
  if (typeof data === "object" && data !== null)
    return Object.fromEntries(Object.entries(data).map(([key, value]) => [key, fillAny(value, values)]));
  return data;
}
