import { ReinsError, toReinsError, type ErrorInfo } from "../../events/errors.ts";
import { httpRefusalOf, type HttpRefusal } from "../../protocols/http/errors.ts";
import { record, text } from "../../protocols/json.ts";
import { classifier, type FailureData } from "../shared/failures/classify.ts";
import { cloudError, keyHelp, who } from "./program.ts";

const unseen = "Not tested: the codes that a run reports for this are not documented.";

export const data: FailureData = {
  agent: who.id,
  name: who.name,
  kinds: {
    agent_busy: "session_busy",
    agent_not_found: "session_not_found",
    run_not_found: "session_not_found",
    stream_expired: "session_not_found",
  },
  // A 404 is about an agent of the service, not about a model.
  statuses: { 404: "session_not_found", 408: "timeout", 410: "session_not_found" },
  types: [
    [/unauth|api_?key|forbidden/i, "not_authenticated"],
    [/usage_?limit|spend|quota|payment|credit/i, "quota_exhausted"],
    [/rate_?limit|too_?many|resource_?exhausted/i, "rate_limited"],
    [/context|too_?long/i, "context_too_long"],
    [/refus|policy/i, "refused"],
    [/model_?(?:not|un)|unknown_?model|invalid_?model/i, "model_unknown"],
    [/overload|unavailable|internal|server|upstream/i, "overloaded"],
    [/network|connection|disconnect|cut/i, "network"],
    [/timeout|deadline|expired/i, "timeout"],
  ],
  phrases: [
    [/\b(?:usage|spend(?:ing)?|credit) limit|out of credit|quota\b/i, "quota_exhausted"],
    [/\b(?:unknown|invalid|unsupported|unavailable) model\b|\bmodel\b.*\bnot (?:found|available)/i, "model_unknown"],
  ],
  help: {
    not_authenticated: keyHelp,
    session_busy: "Wait for the run to end, or stop it.",
    quota_exhausted: "Look at the spending limits at cursor.com/dashboard.",
  },
  differs: {
    "no-model":
      "Not tested: a 404 of the service is about an agent or a run, and its answer to an unknown model is not documented.",
    context: unseen,
    quota: unseen,
    empty: unseen,
    "content-filter": unseen,
    "max-tokens": unseen,
    timeout: "Not tested: Reins repeats the request after each deadline, longer than the 75 seconds of this test.",
  },
};

export const failures = classifier(data);

/** The service's own code, such as `agent_busy` or `stream_expired`. */
export function apiCodeOf(error: unknown): string | undefined {
  const body = record(httpRefusalOf(error)?.body);
  return text(body["code"]) ?? text(record(body["error"])["code"]);
}

export const statusOf = (error: unknown): number | undefined => httpRefusalOf(error)?.status;

/** The same error with a code of Reins and the service's own words. */
export function explained(error: unknown, what: string, resetsAt?: string): ReinsError {
  const refusal = httpRefusalOf(error);
  if (refusal === undefined) return toReinsError(error);
  const words = wordsOf(refusal);
  const { status } = refusal;
  const info = failures.error({ kind: apiCodeOf(error), status, text: words ?? "" });
  const message = `${who.name} refused ${what} with status ${status}${words === undefined ? "" : `: ${words}`}.`;
  return new ReinsError(info.code, message, { agent: who.id, help: info.help, resetsAt, cause: refusal });
}

/** The same error, or a `session_not_found` that names the agent. */
export function aboutAgent(id: string, thrown: unknown): unknown {
  if (statusOf(thrown) !== 404) return thrown;
  const help = "`reins cloud list` shows those that there are.";
  return cloudError("session_not_found", `${who.name} has no agent ${id}.`, help, thrown);
}

function wordsOf({ body }: HttpRefusal): string | undefined {
  const { message, error } = record(body);
  const words = text(message) ?? text(record(error)["message"]) ?? text(error);
  return words?.slice(0, 300).replace(/[.\s]+$/, "");
}

/** True when a run was stopped: the service answers 409 when it had already ended. */
export function wasStopped(stopping: Promise<unknown>): Promise<boolean> {
  const onFailure = (thrown: unknown): false => {
    if (statusOf(thrown) === 409) return false;
    throw thrown;
  };
  return stopping.then(() => true, onFailure);
}

/** The error of a failed run, for which the service may report neither code nor message. */
export function runError(code: string | undefined, message: string | undefined): ErrorInfo {
  const words = message?.trim() || (code ?? "it did not say why");
  const info = failures.error({ type: code, text: message ?? "" });
  return { ...info, message: `The run failed: ${words.replace(/\.$/, "")}.` };
}
