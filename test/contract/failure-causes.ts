/** Every cause of failure, one after the other, on one warm agent: what each is told as. */
import { causes, type Cause, type CauseRow } from "../../src/agents/shared/failures/causes.ts";
import { errorTable, type ErrorCode } from "../../src/events/errors.ts";
import type { Outcome, ReinsEvent } from "../../src/events/types.ts";
import type { Player } from "../../src/testing/contract/player.ts";
import type { Stage } from "../../src/testing/contract/stage.ts";
import { play } from "../../src/testing/contract/types.ts";

/** What the scripted model plays; the rest is done to the connection. */
const scenarios: Readonly<Record<Exclude<Cause, "refused" | "dns" | "tls">, string>> = {
  "bad-request": "error-400",
  unauthorized: "error-401",
  payment: "error-402",
  "payment-body": "error-402-body",
  forbidden: "error-403",
  "no-model": "error-404",
  "too-large": "error-413",
  context: "prompt-too-long",
  rate: "error-429-soon",
  quota: "credit",
  "quota-plain": "error-429-quota",
  "server-error": "error-500",
  unavailable: "error-503",
  "gateway-timeout": "error-504",
  overloaded: "error-529",
  garbage: "web-page",
  empty: "empty",
  reset: "reset",
  timeout: "hang",
  "content-filter": "refusal",
  "max-tokens": "max-tokens",
};

/** A cause that needs an address of its own is tried with an agent of its own. */
export type CauseFamily = "service" | "dns" | "tls";

/** Those that may make it sum up the conversation stand last. */
const last: readonly Cause[] = ["timeout", "too-large", "context"];

export function causesOf(family: CauseFamily): readonly Cause[] {
  if (family !== "service") return [family];
  const all = (Object.keys(causes) as Cause[]).filter((cause) => cause !== "dns" && cause !== "tls");
  return [...all.filter((cause) => !last.includes(cause)), ...last];
}

export interface CauseResult {
  readonly outcome: Outcome;
  readonly code?: ErrorCode | undefined;
  readonly retryable?: boolean | undefined;
  /** The error says when it is over. */
  readonly resets?: boolean | undefined;
  readonly message?: string | undefined;
  /** Retries that the agent reported. */
  readonly retries?: number | undefined;
  readonly requests?: number | undefined;
  readonly ms?: number | undefined;
  /** The turn did not end in time and was cancelled. */
  readonly endless?: boolean | undefined;
}

/** Longer than this nobody waits for a failure. */
const patienceMs = 75_000;

export async function runCause(stage: Stage, player: Player, cause: Cause): Promise<CauseResult> {
  const { model } = stage.place;
  const before = model?.requests.length ?? 0;
  const began = performance.now();
  if (cause === "refused") await model?.refuse();
  const recover = await stage.place.fail?.(cause);
  const byConnection = cause === "refused" || cause === "dns" || cause === "tls";
  const name = byConnection || recover !== undefined ? "text" : scenarios[cause];
  const turn = player.begin(play(name));
  let endless = false;
  const timer = setTimeout(() => {
    endless = true;
    void turn.cancel();
  }, patienceMs);
  const { result, events } = await player.end(turn).finally(() => clearTimeout(timer));
  if (cause === "refused") await model?.listen();
  await recover?.();
  const { outcome, error } = result;
  return {
    outcome,
    code: error?.code,
    retryable: error?.retryable,
    resets: error?.resetsAt !== undefined || undefined,
    message: error?.message,
    retries: events.filter((event: ReinsEvent) => event.type === "agent.retrying").length,
    requests: (model?.requests.length ?? 0) - before,
    ms: Math.round(performance.now() - began),
    endless: endless || undefined,
  };
}

/** The same as every other agent: the code or outcome of the table, its retryable flag, and a reset time where the service tells one. */
export function asExpected(cause: Cause, { outcome, code, retryable, resets }: CauseResult): boolean {
  const { code: wanted, ...row }: CauseRow = causes[cause];
  const told = code ?? outcome;
  if (told !== wanted || resets !== row.resets) return false;
  return code === undefined || retryable === errorTable[code].retryable;
}
