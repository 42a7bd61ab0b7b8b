/** What an agent says went wrong, as error codes. ACP has few codes of its own: most of it stands in the words beside them. */
import { errorTable } from "../../events/errors.ts";
import type { ErrorCode, ErrorInfo } from "../../events/errors.ts";
import { rpcErrors } from "../json-rpc/index.ts";
import type { RpcError } from "../json-rpc/index.ts";
import type { AcpFailure, AcpQuirks } from "./quirks.ts";
import { firstText, isRecord, record, text } from "./read.ts";

export interface Speaker {
  readonly agent: string;
  readonly quirks: AcpQuirks;
}

const authRequired = -32000;
const notFound = -32002;

const help: Partial<Record<ErrorCode, string>> = {
  not_authenticated: "Sign in with the agent's own program.",
  model_unknown: "Choose another model.",
  rate_limited: "Wait a moment and try again.",
  quota_exhausted: "Wait for the reset, or use another agent.",
  overloaded: "Try again in a moment.",
  context_too_long: "Start a new session.",
  network: "Check the connection and try again.",
  session_not_found: "Start a new session.",
};

/** The class a failure has by its own name, its status or its words, the surest first. */
const signs: readonly (readonly [ErrorCode, RegExp])[] = [
  [
    "quota_exhausted",
    /\bbilling|credit balance|insufficient_quota|quota (?:was |is )?(?:exceeded|exhausted)|usage limit/i,
  ],
  ["rate_limited", /\brate.?limit|too many requests|\b429\b/i],
  ["not_authenticated", /authenticat|unauthori[sz]ed|api key|not (?:logged|signed) in|\b401\b|\b403\b/i],
  ["context_too_long", /context.{0,20}(?:length|window|too long)|prompt is too long|\b413\b/i],
  ["model_unknown", /\bmodel\b.{0,80}(?:not found|not exist|unknown|not supported|invalid)|model_not_found/i],
  [
    "session_not_found",
    /\bsession\b.{0,80}(?:not found|not exist|unknown)|(?:invalid|unknown) session|no such session/i,
  ],
  ["overloaded", /overloaded|high demand|(?:internal )?server.?error|unavailable|\b5\d\d\b/i],
  ["network", /\bE(?:CONN\w+|NOTFOUND|AI_AGAIN|TIMEDOUT|PIPE)\b|connection|network|timed out|fetch failed/i],
  ["invalid_input", /invalid_request|\b400\b/],
];

export function failureOf(error: RpcError, speaker: Speaker): ErrorInfo {
  const own = speaker.quirks.failure?.(error);
  return errorInfoOf(own ?? { code: codeOf(error), message: saidBy(error) }, speaker);
}

export function errorInfoOf({ code, message, resetsAt, ...more }: AcpFailure, { agent, quirks }: Speaker): ErrorInfo {
  const info: ErrorInfo = { code, message, retryable: errorTable[code].retryable, agent };
  const advice = more.help ?? (code === "not_authenticated" ? quirks.signInHelp : undefined) ?? help[code];
  if (advice !== undefined) info.help = advice;
  if (resetsAt !== undefined) info.resetsAt = resetsAt;
  return info;
}

function codeOf({ code, message, data }: RpcError): ErrorCode {
  if (code === authRequired) return "not_authenticated";
  if (code === notFound) return "session_not_found";
  if (code === rpcErrors.cancelled) return "cancelled";
  if (code === rpcErrors.methodNotFound) return "unsupported";
  // Some give the status of the model's service for a code.
  const words = `${code >= 400 && code < 600 ? code : ""} ${message} ${data === undefined ? "" : JSON.stringify(data)}`;
  const sign = signs.find(([, pattern]) => pattern.test(words.slice(0, 4096)));
  return sign?.[0] ?? (code === rpcErrors.invalidParams ? "invalid_input" : "agent_crashed");
}

/** The sentence in it: beside "Internal error" stands what it is about, and some wrap it in JSON. */
export function saidBy({ message, data }: RpcError): string {
  const inner = record(parsed(message));
  const { details, message: inData } = record(data);
  const said =
    firstText(record(inner["error"])["message"], inner["message"], data, details, inData) ??
    message.replace(/^Internal error:?\s*/i, "");
  const plain = (firstText(said) ?? message).replace(/^API Error:\s*/i, "").trim();
  return plain.split(/\n\s*\n/, 1)[0]!;
}

function parsed(message: string): unknown {
  if (!message.trimStart().startsWith("{")) return undefined;
  try {
    return JSON.parse(message);
  } catch {
    return undefined;
  }
}

/** How a person signs in, in the agent's own words. */
export function signInHelpOf(methods: readonly unknown[]): string | undefined {
  const ways = methods.filter(isRecord).map(({ name, description }) => text(description) ?? text(name));
  const known = ways.filter((way) => way !== undefined);
  return known.length === 0 ? undefined : `Sign in first: ${known.join("; or: ")}.`;
}
