/** Failures of its service, in the program's own words. */
import type { ModelError } from "../agent-loop/index.ts";
import { badKey } from "./account.ts";

const codes: Readonly<Record<number, string>> = {
  0: "unavailable",
  400: "invalid_argument",
  401: "unauthenticated",
  403: "permission_denied",
  404: "not_found",
  429: "resource_exhausted",
  500: "internal",
  503: "unavailable",
  504: "deadline_exceeded",
};

export const usageLimit =
  "ActionRequiredError: You've hit your usage limit Get Cursor Pro for more Agent usage, unlimited Tab, and more. Your usage limits will reset when your monthly cycle ends on 12/2/2026.";

/** Error codes of Connect, the protocol of its service; its library reports an untrusted certificate as `internal`. */
function codeOf({ status, message }: ModelError): string {
  return status === 0 && /certificate/.test(message) ? "internal" : (codes[status] ?? "unknown");
}

export function wordsOf(error: ModelError): string {
  if (error.status === 401) return badKey;
  const said = error.kind === "cut" ? "[aborted] read ECONNRESET" : `[${codeOf(error)}] ${error.message}`;
  return error.mayPass ? `RetriableError: ${said}` : `Error: ${said}`;
}
