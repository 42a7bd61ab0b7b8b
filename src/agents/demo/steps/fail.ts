import { ReinsError, errorCodes, errorInfo, errorTable } from "../../../events/errors.ts";
import type { ErrorCode } from "../../../events/errors.ts";
import { EndTurn } from "../../shared/endings.ts";

/** Limits that end: this long after the failure. */
const resetMs = 60_000;

/** Ends the turn as an agent in that trouble would. */
export function fail(code: string): never {
  const error = isCode(code)
    ? new ReinsError(code, `The demo agent was asked to fail: ${errorTable[code].meaning}`, {
        agent: "demo",
        ...(code === "rate_limited" || code === "quota_exhausted"
          ? { resetsAt: new Date(Date.now() + resetMs).toISOString() }
          : {}),
      })
    : new ReinsError("invalid_input", `There is no error code ${code}.`, {
        agent: "demo",
        help: `Use one of ${errorCodes.join(", ")}.`,
      });
  throw new EndTurn("failed", errorInfo(error));
}

function isCode(code: string): code is ErrorCode {
  return Object.hasOwn(errorTable, code);
}
