/** What the server says went wrong, as what the library throws. */
import { errorTable, ReinsError } from "../events/errors.ts";
import type { ErrorAnswer } from "../server/schemas/error.ts";

export function errorOf(body: unknown, status?: number): ReinsError {
  const said = (body as Partial<ErrorAnswer> | undefined)?.error;
  if (said === undefined || typeof said.message !== "string")
    return new ReinsError("network", `The server answered with ${status}, and not as Reins does.`, {
      help: "Is something else at this address?",
    });
  const { code, message, ...details } = said;
  return new ReinsError(code in errorTable ? code : "internal", message, details);
}

export function unreachable(url: string, cause?: unknown): ReinsError {
  return new ReinsError("network", `The server at ${url} does not answer.`, {
    help: "Is it running? `reins serve` starts one.",
    cause,
  });
}

export function closed(): ReinsError {
  return new ReinsError("invalid_input", "This Reins is closed.");
}
