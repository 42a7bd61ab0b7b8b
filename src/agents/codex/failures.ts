import type { FailureFacts } from "../../protocols/failure.ts";
import { isRecord, number, record, text } from "../../protocols/json.ts";
import { classifier, type FailureData } from "../shared/failures/classify.ts";
import { program, signInHelp } from "./program.ts";

/** Versions without an app server treat `app-server` as a prompt and try to open their screen. */
const serverless = /unrecognized subcommand|stdin is not a terminal|stdout is not a terminal/;

export const data: FailureData = {
  agent: program.id,
  name: program.name,
  kinds: {
    contextWindowExceeded: "context_too_long",
    sessionBudgetExceeded: "budget_exceeded",
    usageLimitExceeded: "quota_exhausted",
    rateLimitExceeded: "rate_limited",
    flexUnavailable: "overloaded",
    serverOverloaded: "overloaded",
    policyCapacityUnavailable: "overloaded",
    internalServerError: "overloaded",
    modelNotFound: "model_unknown",
    cyberPolicy: "refused",
    misalignmentPolicyViolation: "refused",
    tooManyDenials: "permission_denied",
    unauthorized: "not_authenticated",
    activeTurnNotSteerable: "session_busy",
  },
  vagueKinds: {
    badRequest: "invalid_input",
    // The request never reached the service.
    httpConnectionFailed: "network",
    responseStreamConnectionFailed: "network",
    responseStreamDisconnected: "network",
  },
  phrases: [
    [/Missing environment variable|not logged in|log in|sign in/i, "not_authenticated"],
    [/no rollout found for thread id/, "session_not_found"],
  ],
  stderr: [
    [serverless, "version_unsupported"],
    [/no rollout found for thread id/, "session_not_found"],
    [/CODEX_HOME points to/, "invalid_input"],
    [/Error loading config(uration|\.toml)|unexpected argument|invalid value/, "invalid_input"],
    [/Not inside a trusted directory/, "invalid_input"],
    [/Not logged in|Missing environment variable/, "not_authenticated"],
  ],
  // Printed at every start.
  stderrNoise: /could not create PATH aliases|bubblewrap|Reading additional input from stdin|Reading prompt from stdin/,
  frames: [/, url: \S+$/],
  help: {
    not_installed: program.installHelp,
    not_authenticated: signInHelp,
    version_unsupported: program.updateHelp,
  },
  differs: {
    rate: "The agent reports only the status of a 429 (`exceeded retry limit, last status: 429`), without headers, so the reset time is unknown.",
    "quota-plain": "The agent reports only the status of a 429, without the message of the service.",
    timeout:
      "The agent reports nothing while it waits for the first byte, longer than the 75 seconds of this test. Silence alone never fails a turn.",
  },
};

export const failures = classifier(data);

export function isServerless(stderrTail: string): boolean {
  return serverless.test(stderrTail);
}

/** The facts in a `TurnError`. With the kind `other`, the message may be the whole answer of the service. */
export function factsOf(error: unknown, resetsAt?: string): FailureFacts {
  const { message, codexErrorInfo: info } = record(error);
  const [kind, detail] = isRecord(info) ? (Object.entries(info)[0] ?? []) : [info, undefined];
  return {
    kind: text(kind),
    status: number(record(detail)["httpStatusCode"]),
    text: text(message) ?? "",
    resetsAt,
  };
}
