/** What Copilot says went wrong. It says it like a message, in sentences: there are no codes over ACP. */
import type { AcpFailure } from "../../drivers/acp/index.ts";
import type { ErrorCode } from "../../events/errors.ts";

/** The surest first. */
const signs: readonly (readonly [ErrorCode, RegExp])[] = [
  ["context_too_long", /prompt as too long|context (?:limit|window)|maximum context/i],
  [
    "quota_exhausted",
    /exceeded your current quota|no quota|quota (?:exceeded|exhausted)|premium request|AI credit|billing/i,
  ],
  ["model_unknown", /^Model '.*' not found|model .{0,60}(?:not (?:available|supported|enabled)|does not exist)/i],
  ["not_authenticated", /Authentication (?:failed|required)|HTTP 40[13]\b|not (?:logged|signed) in|unauthori[sz]ed/i],
  ["rate_limited", /\b429\b|rate.?limit|too many requests/i],
  ["overloaded", /\b5\d\d\b|overloaded|server error/i],
  ["network", /HTTP request|connection|ECONN|ENOTFOUND|timed out/i],
  ["invalid_input", /^400\b/],
  ["overloaded", /^Failed to get response/],
];

const help: Partial<Record<ErrorCode, string>> = {
  context_too_long: "Start a new session, or send /compact first.",
};

export function failureOf(said: string): AcpFailure {
  const message = said.split("\n", 1)[0]!.trim();
  const code = signs.find(([, pattern]) => pattern.test(said))?.[0] ?? "agent_crashed";
  return { code, message, help: help[code] };
}

/** Of `model.call_failure` and `session.error`, which know the status. */
export function failureWith(said: string, status: number | undefined): AcpFailure {
  return failureOf(status === undefined || said.includes(String(status)) ? said : `${status} ${said}`);
}
