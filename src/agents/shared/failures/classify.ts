/** The failure classifier for all agents. An agent's folder provides only data. */
import type { Classifier, FailureFacts, InfoDetails } from "../../../protocols/failure.ts";
import { errorTable, type ErrorCode, type ErrorInfo } from "../../../events/errors.ts";
import type { Exit } from "../../../process/types.ts";
import type { Cause } from "./causes.ts";
import { jsonIn, namesIn, sentenceIn, statusIn, unframed } from "./reported.ts";
import { resetTime } from "./reset-time.ts";
import {
  emptyAnswer,
  foreignAnswer,
  money,
  phrases,
  statuses,
  types,
  usualHelp,
  weakPhrases,
  weakTypes,
} from "./tables.ts";

/** `max_tokens` and `max_turns` are outcomes of a turn, not errors. */
export type FailureCode = ErrorCode | "max_tokens" | "max_turns";

export interface FailureData {
  readonly agent: string;
  readonly name: string;
  /** The agent's own failure classes that are unambiguous. */
  readonly kinds?: Readonly<Record<string, FailureCode>> | undefined;
  /** The agent's own failure classes that say less than a status or a message. */
  readonly vagueKinds?: Readonly<Record<string, FailureCode>> | undefined;
  /** Failure types of the agent's service, checked before the common ones. */
  readonly types?: readonly (readonly [RegExp, FailureCode])[] | undefined;
  /** Messages of the agent itself, checked before the common ones. */
  readonly phrases?: readonly (readonly [RegExp, FailureCode])[] | undefined;
  /** Status codes that do not come from a model's service. */
  readonly statuses?: Readonly<Record<number, FailureCode>> | undefined;
  /** Lines on stderr that say the program was started wrongly. */
  readonly stderr?: readonly (readonly [RegExp, ErrorCode])[] | undefined;
  /** Lines that the program writes to stderr on every run, which explain nothing. */
  readonly stderrNoise?: RegExp | undefined;
  /** Patterns of text that the agent puts around a message. Only the capture group is kept. */
  readonly frames?: readonly RegExp[] | undefined;
  /** Advice for the user that replaces the usual one. */
  readonly help?: Readonly<Partial<Record<ErrorCode, string>>> | undefined;
  /** Causes that the agent reports differently, each with the reason. `docs/errors.md` shows them. */
  readonly differs?: Readonly<Partial<Record<Cause, string>>> | undefined;
}

/** A longer wait means a used-up quota rather than a rate limit. */
const longWaitMs = 300_000;
const mostCharacters = 4_096;

export function classifier(data: FailureData): Classifier {
  const info: Classifier["info"] = (code, message, { help, resetsAt } = {}) => {
    const told: ErrorInfo = { code, message, retryable: errorTable[code].retryable, agent: data.agent };
    const advice = help ?? data.help?.[code] ?? usualHelp[code];
    if (advice !== undefined) told.help = advice;
    if (resetsAt !== undefined) told.resetsAt = resetsAt;
    return told;
  };
  const exit: Classifier["exit"] = (how, stderr, onlyGarbage = false, now = Date.now()) => {
    const { code, message, help } = exitFailure(data, how, stderr, onlyGarbage);
    if (!isLimit(code)) return info(code, message, { help });
    const resets = resetTime({ text: stderr }, now);
    const byWait = money.test(stderr) ? undefined : limitOf(resets, now);
    return info(byWait ?? code, message, { help, resetsAt: isoOf(resets) });
  };
  const failure = (facts: FailureFacts, now: number): { readonly code: FailureCode; readonly told: ErrorInfo } => {
    if (facts.exit !== undefined) {
      const told = exit(facts.exit, facts.stderr ?? facts.text, facts.onlyGarbage, now);
      return { code: told.code, told };
    }
    const found = classified(data, facts, now);
    const code = found.code === "max_tokens" || found.code === "max_turns" ? "agent_error" : found.code;
    return { code: found.code, told: info(code, found.message || errorTable[code].meaning, found) };
  };
  return {
    info,
    exit,
    error: (facts, now = Date.now()) => failure(facts, now).told,
    ending: (facts, now = Date.now()) => {
      const { code, told } = failure(facts, now);
      switch (code) {
        case "max_tokens":
        case "max_turns":
        case "cancelled":
          return { outcome: code };
        case "refused":
          return { outcome: "refused", error: told };
        case "budget_exceeded":
          return { outcome: "budget", error: told };
        default:
          return { outcome: "failed", error: told };
      }
    },
  };
}

interface Classified extends InfoDetails {
  readonly code: FailureCode;
  readonly message: string;
}

function classified(data: FailureData, facts: FailureFacts, now: number): Classified {
  const text = unframed(facts.text, data.frames);
  const said = `${text} ${facts.body ?? ""}`.slice(0, mostCharacters);
  const status = facts.status ?? statusIn(facts.text) ?? statusIn(said);
  const code = codeOf(data, facts, said, status);
  const message = messageOf(code, text, facts.kind, data);
  if (!isLimit(code)) return { code, message };
  const resets = resetTime({ ...facts, text: said, body: "" }, now);
  const resetsAt = isoOf(resets);
  if (code === "quota_exhausted" && (status === 402 || money.test(said))) {
    const help = data.help?.quota_exhausted ?? "Add credit to the account.";
    return { code, message, help, resetsAt };
  }
  return { code: limitOf(resets, now) ?? code, message, resetsAt };
}

/** The length of the wait, when known, decides between rate limit and quota. */
function limitOf(resets: number | undefined, now: number): "quota_exhausted" | "rate_limited" | undefined {
  if (resets === undefined) return undefined;
  return resets - now > longWaitMs ? "quota_exhausted" : "rate_limited";
}

function isLimit(code: FailureCode): boolean {
  return code === "rate_limited" || code === "quota_exhausted";
}

function isoOf(time: number | undefined): string | undefined {
  return time === undefined ? undefined : new Date(time).toISOString();
}

/** Checks the most reliable source first. */
function codeOf(data: FailureData, facts: FailureFacts, said: string, status: number | undefined): FailureCode {
  const { kind = "", type = "" } = facts;
  const names = [type, ...namesIn(jsonIn(facts.text)), ...namesIn(jsonIn(facts.body ?? ""))].join(" ");
  const isServerError = status !== undefined && status >= 500;
  return (
    own(data.kinds, kind) ??
    found(data.types, names) ??
    found(types, names) ??
    (isServerError ? undefined : (found(data.phrases, said) ?? found(phrases, said))) ??
    found(weakTypes, names) ??
    (status === undefined ? undefined : byStatus(data, status)) ??
    found(weakPhrases, `${names} ${said}`) ??
    own(data.vagueKinds, kind) ??
    (status !== undefined && status >= 400 ? "invalid_input" : "agent_error")
  );
}

function byStatus({ statuses: its }: FailureData, status: number): FailureCode | undefined {
  return its?.[status] ?? statuses[status] ?? (status >= 500 && status < 600 ? "overloaded" : undefined);
}

function own(table: FailureData["kinds"], kind: string): FailureCode | undefined {
  return table !== undefined && Object.hasOwn(table, kind) ? table[kind] : undefined;
}

function found<Code>(table: readonly (readonly [RegExp, Code])[] = [], said: string): Code | undefined {
  return said.trim() === "" ? undefined : table.find(([pattern]) => pattern.test(said))?.[1];
}

function messageOf(code: FailureCode, text: string, kind: string | undefined, { frames }: FailureData): string {
  if (code === "network" && (kind === "foreign" || (foreignAnswer.test(text) && /<\w/.test(text))))
    return "Something between this machine and the model's service, such as a proxy, answered instead.";
  if (code === "overloaded" && emptyAnswer.test(text)) return "The model returned an empty answer.";
  return sentenceIn(text, frames);
}

/** Exit codes of programs that catch a signal, clean up and exit. */
const signals: ReadonlyMap<number, string> = new Map([
  [129, "SIGHUP"],
  [130, "SIGINT"],
  [137, "SIGKILL"],
  [143, "SIGTERM"],
]);

const longestLine = 300;

interface ExitFailure {
  readonly code: ErrorCode;
  readonly message: string;
  readonly help?: string | undefined;
}

/** Explains an unexpected exit from the exit code and stderr. */
function exitFailure(
  { name, stderr: complaints = [], stderrNoise }: FailureData,
  exit: Exit,
  stderr: string,
  onlyGarbage: boolean,
): ExitFailure {
  const known = complaints.find(([pattern]) => pattern.test(stderr));
  if (known !== undefined) {
    const [pattern, code] = known;
    const line = stderr.split("\n").find((candidate) => pattern.test(candidate)) ?? stderr;
    const message = line.replace(/^(?:error:\s*)+/i, "").trim();
    return { code, message: message.slice(0, longestLine) };
  }
  const said = (what: string) => lastWords(what, stderr, stderrNoise);
  if (exit.code === 126 || exit.code === 127)
    return { code: "not_installed", message: said(`${name} could not be started (exit code ${exit.code})`) };
  if (onlyGarbage) {
    const message = said(`${name} printed something that is not its protocol and ended`);
    return { code: "protocol_error", message, help: `Check that the command is really ${name}.` };
  }
  return { code: "agent_crashed", message: said(`${name} ${howItEnded(exit)}`) };
}

function howItEnded({ code, signal }: Exit): string {
  const by = signal ?? signals.get(code ?? 0);
  if (by !== undefined) return `was ended by ${by}`;
  return code === 0 ? "ended without a result" : `ended with exit code ${code}`;
}

function lastWords(what: string, stderr: string, noise: RegExp | undefined): string {
  const lines = stderr.split("\n").map((line) => line.trim());
  const line = lines.findLast((candidate) => candidate !== "" && noise?.test(candidate) !== true) ?? "";
  return line === "" ? `${what}.` : `${what}: ${line.slice(0, longestLine)}`;
}
