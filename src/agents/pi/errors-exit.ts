/** A process that ended when it should not have: why, as far as its exit and its stderr tell. */
import type { ErrorCode, ErrorInfo } from "../../events/errors.ts";
import type { Exit } from "../../process/types.ts";
import { errorInfoOf } from "./errors.ts";

/** What it prints when it does not like how it was started; there is no JSON then. */
const complaints: readonly (readonly [RegExp, ErrorCode])[] = [
  [/No API key found|No models available|No model selected/, "not_authenticated"],
  [/Model ".*" not found|is ambiguous across providers|Unknown provider/, "model_unknown"],
  [
    /No session found matching|Cannot fork|session working directory|not a valid session|session file/i,
    "session_not_found",
  ],
  [/^(Error: )?(Unknown option|Invalid|--?\w[\w-]* (requires|cannot))/m, "invalid_input"],
  [/Failed to load extension/, "invalid_input"],
];

/** It catches a signal, tidies up and exits with these. */
const signals: ReadonlyMap<number, string> = new Map([
  [129, "SIGHUP"],
  [130, "SIGINT"],
  [137, "SIGKILL"],
  [143, "SIGTERM"],
]);

export function exitError(exit: Exit, stderrTail: string, onlyGarbage: boolean): ErrorInfo {
  const known = complaints.find(([pattern]) => pattern.test(stderrTail));
  if (known !== undefined) {
    const [pattern, code] = known;
    const line = stderrTail.split("\n").find((candidate) => pattern.test(candidate)) ?? stderrTail;
    return errorInfoOf(code, line.replace(/^error:\s*/i, "").trim());
  }
  if (exit.code === 126 || exit.code === 127)
    return errorInfoOf("not_installed", lastWords(`pi could not be started (exit code ${exit.code})`, stderrTail));
  if (onlyGarbage) {
    const message = lastWords("pi printed something that is not its protocol and ended", stderrTail);
    return errorInfoOf("protocol_error", message, { help: "Check that the command is really pi." });
  }
  const signal = exit.signal ?? signals.get(exit.code ?? 0);
  const how =
    signal !== undefined
      ? `was ended by ${signal}`
      : exit.code === 0
        ? "ended without a result"
        : `ended with exit code ${exit.code}`;
  return errorInfoOf("agent_crashed", lastWords(`pi ${how}`, stderrTail));
}

function lastWords(what: string, stderrTail: string): string {
  const line = stderrTail.trim().split("\n").at(-1)?.trim() ?? "";
  return line === "" ? `${what}.` : `${what}: ${line.slice(0, 300)}`;
}
