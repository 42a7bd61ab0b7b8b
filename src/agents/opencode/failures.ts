import { isReinsError, ReinsError, type ErrorCode, type ErrorInfo } from "../../events/errors.ts";
import type { FailureFacts } from "../../protocols/failure.ts";
import { goneOf, refusalOf, type RpcError } from "../../protocols/json-rpc/index.ts";
import { number, record, text } from "../../protocols/json.ts";
import { classifier, type FailureData } from "../shared/failures/classify.ts";
import { invalid, program } from "./program.ts";

export const data: FailureData = {
  agent: program.id,
  name: "OpenCode",
  kinds: {
    MessageAbortedError: "cancelled",
    ProviderAuthError: "not_authenticated",
    ContextOverflowError: "context_too_long",
    ContentFilterError: "refused",
    MessageOutputLengthError: "max_tokens",
    foreign: "network",
    // A retry without a stated cause.
    retry: "overloaded",
  },
  phrases: [[/unable to connect|connection reset/i, "network"]],
  stderr: [
    [/^Error: Config(?:uration)? .*invalid|ConfigInvalidError|ConfigJsonError/im, "invalid_input"],
    [/Unknown argument|Unknown command/i, "version_unsupported"],
  ],
  // The class name before a message.
  frames: [/^[A-Z]\w*Error: /],
  help: {
    not_authenticated: "Run `opencode auth login`, or set the key of the model's service.",
    model_unknown: "Choose another model; `reins models opencode` lists them.",
    quota_exhausted: "Wait for the reset or add credit, or use another agent.",
    refused: "Rephrase the request, or choose another model.",
  },
  differs: {
    context: "The agent compacts the conversation and repeats the request, which may then fit.",
    timeout:
      "The agent reports nothing while it waits for the first byte, longer than the 75 seconds of this test. Silence alone never fails a turn.",
  },
};

export const failures = classifier(data);

/** Failures of the local server, whose status codes differ in meaning from those of a model service. */
export const serverFailures = classifier({
  agent: program.id,
  name: "OpenCode",
  statuses: { 400: "protocol_error", 402: "protocol_error", 404: "protocol_error", 413: "protocol_error" },
});

export function factsOf(error: unknown): FailureFacts {
  const { name, data } = record(error);
  const facts = record(data);
  return {
    kind: text(name),
    status: number(facts["statusCode"]),
    text: text(facts["message"]) ?? "",
    body: text(facts["responseBody"]),
    retryAfter: text(record(facts["responseHeaders"])["retry-after"]),
  };
}

export function isAbort(error: unknown): boolean {
  return record(error)["name"] === "MessageAbortedError";
}

/** A longer wait fails the turn, with the time at which it would end. */
const longestWaitMs = 60_000;

/** The cause of a retry. The wait may be OpenCode's own choice, so it does not indicate a used-up quota. */
function retryError(said: unknown, waitMs: number, now: number): ErrorInfo {
  const words = text(said) ?? "";
  const plain = failures.error({ text: words }, now);
  const told = plain.code === "rate_limited" || waitMs > longestWaitMs;
  const facts: FailureFacts = { text: words, retryAfter: told ? String(waitMs / 1_000) : undefined };
  return failures.error(plain.code === "agent_error" ? { ...facts, kind: "retry" } : facts, now);
}

/** OpenCode itself retries without a limit. */
export const mostRetries = 2;

/** `status` has the type `retry`. `over`: after too many retries, or one without a chance, the turn fails with this error. */
export function retryIn(status: unknown, parent: string | undefined, now: number) {
  const { attempt: told, next, message } = record(status);
  const attempt = number(told) ?? 1;
  const delayMs = Math.max(0, (number(next) ?? now) - now);
  const error = retryError(message, delayMs, now);
  const isHopeless = error.code === "quota_exhausted" || delayMs > longestWaitMs;
  const event = { type: "agent.retrying", attempt, ofMax: mostRetries, delayMs, error, parent } as const;
  return { event, over: attempt > mostRetries || isHopeless };
}

const notLoaded = { plugin: "not loaded" } as const;

export function notHeld(): ReinsError {
  return new ReinsError("protocol_error", "OpenCode did not load the plugin with which Reins controls its tools.", {
    agent: "opencode",
    help: "Look for a setting that keeps it from loading plugins.",
    cause: notLoaded,
  });
}

/** Explains a server that ended, does not accept its settings, or is broken. */
export function explained(error: unknown): unknown {
  const gone = goneOf(error);
  if (gone !== undefined) {
    const info = failures.exit(gone, gone.stderrTail);
    return new ReinsError(info.code, info.message, { ...info, cause: error });
  }
  const refusal = refusalOf(error);
  if (refusal === undefined) return error;
  const { name, data } = record(refusal.data);
  if (typeof name === "string" && name.startsWith("Config")) {
    const { path, message } = record(data);
    const what = [text(path), text(message)].filter((part) => part !== undefined).join(": ");
    const help = "Correct them; `opencode debug config` shows them.";
    return invalid(`OpenCode cannot read its settings (${what}).`, help, error);
  }
  const code = brokenCode(refusal);
  return code === undefined ? error : new ReinsError(code, refusal.message, { agent: "opencode", cause: error });
}

/** The server is local: a user cannot sign in to it, and it is reached over no network. */
function brokenCode({ code, data }: RpcError): ErrorCode | undefined {
  if (code >= 500) return "agent_crashed";
  const unanswered = code === 0 ? record(data)["code"] : undefined;
  return unanswered === "network" || unanswered === "agent_hung" ? "agent_hung" : undefined;
}

/** True when the cause is the server itself and not a setting, so that another server may work. */
export function isItsOwn(error: unknown): boolean {
  if (!isReinsError(error)) return false;
  if (error.code === "agent_crashed" || error.code === "agent_hung") return true;
  // Only this server and Reins know the password, so a 401 comes from another process or from a server that is not ready.
  return error.cause === notLoaded || refusalOf(error)?.code === 401;
}
