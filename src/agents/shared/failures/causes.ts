/** The causes of failure that every agent is tested with, and their error codes. `docs/errors.md` shows the result for each agent. */
import type { FailureCode } from "./classify.ts";

export interface CauseRow {
  /** Title of the row in `docs/errors.md`. */
  readonly about: string;
  /** `done`: not a failure. */
  readonly code: FailureCode | "done";
  /** The service says when the limit resets, so the error must say so too. */
  readonly resets?: true;
  /** An agent that declares compaction may either recover from this cause or fail. */
  readonly mayPass?: true;
}

export const causes = {
  "bad-request": { about: "400", code: "invalid_input" },
  unauthorized: { about: "401", code: "not_authenticated" },
  payment: { about: "402 without a body", code: "quota_exhausted" },
  "payment-body": { about: "402 with a body", code: "quota_exhausted" },
  forbidden: { about: "403", code: "not_authenticated" },
  "no-model": { about: "404, no such model", code: "model_unknown" },
  "too-large": { about: "413", code: "context_too_long", mayPass: true },
  context: { about: "the conversation is too long", code: "context_too_long", mayPass: true },
  rate: { about: "429 with `Retry-After: 2`", code: "rate_limited", resets: true },
  quota: { about: "no credit, as the provider reports it", code: "quota_exhausted" },
  "quota-plain": { about: "429 with a message about a used-up quota", code: "quota_exhausted" },
  "server-error": { about: "500", code: "overloaded" },
  unavailable: { about: "503", code: "overloaded" },
  "gateway-timeout": { about: "504", code: "overloaded" },
  overloaded: { about: "529 (503 if the service has no 529)", code: "overloaded" },
  garbage: { about: "200 with a web page", code: "network" },
  empty: { about: "an empty answer", code: "done" },
  refused: { about: "connection refused", code: "network" },
  reset: { about: "connection reset", code: "network" },
  dns: { about: "no such host", code: "network" },
  tls: { about: "bad certificate", code: "network" },
  timeout: { about: "no answer in time", code: "network" },
  "content-filter": { about: "content filter", code: "refused" },
  "max-tokens": { about: "the answer reaches the token limit", code: "max_tokens" },
} as const satisfies Record<string, CauseRow>;

export type Cause = keyof typeof causes;
