/** Runs every cause of failure in turn on one warm agent and collects how each is reported. */
import { causes, type Cause, type CauseRow } from "../../src/agents/shared/failures/causes.ts";
import { errorTable, type ErrorCode } from "../../src/events/errors.ts";
import type { Outcome, ReinsEvent } from "../../src/events/types.ts";
import type { Player } from "../../src/testing/contract/player.ts";
import type { Stage } from "../../src/testing/contract/stage.ts";
import { play } from "../../src/testing/contract/types.ts";

/** The scenario the scripted model plays; the other causes are simulated on the connection. */
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

/** A cause that needs a different address is tested with a separate agent. */
export type CauseFamily = "service" | "dns" | "tls";

/** Causes that may make the agent compact the conversation come last. */
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
  /** True when the error says when the limit resets. */
  readonly resets?: boolean | undefined;
  readonly message?: string | undefined;
  readonly retries?: number | undefined;
  readonly requests?: number | undefined;
  readonly ms?: number | undefined;
  /** True when the turn did not end in time and was cancelled. */
  readonly endless?: boolean | undefined;
}

/** The longest wait for a failure. */
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

/** True when the result matches the table: the code or outcome, the retryable flag, and a reset time if the service sends one. */
export function asExpected(cause: Cause, { outcome, code, retryable, resets }: CauseResult): boolean {
  const { code: wanted, ...row }: CauseRow = causes[cause];
  const told = code ?? outcome;
  if (told !== wanted || resets !== row.resets) return false;
  return code === undefined || retryable === errorTable[code].retryable;
}
