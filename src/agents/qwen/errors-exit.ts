/** A process that ended in the middle of a turn: why, as far as its exit and its stderr tell. */
import type { ErrorCode, ErrorInfo } from "../../events/errors.ts";
import type { Exit } from "../../process/types.ts";
import { errorInfoOf } from "./errors.ts";

/** What it prints when it does not like how it was started; there is no JSON then. */
const complaints: readonly (readonly [RegExp, ErrorCode])[] = [
  [/No saved session found/, "session_not_found"],
  [/Session Id \S+ is already in use|already in use by another/i, "session_busy"],
  [/No auth type is selected|free tier was discontinued/, "not_authenticated"],
  [/^Unknown arguments?:|^Invalid values:|^Cannot use |Not enough arguments|must be an integer/m, "invalid_input"],
  [/Cannot read operator sandbox policy|Settings file .* invalid|invalid JSON/, "invalid_input"],
  [/Failed to parse stream-json line/, "protocol_error"],
];

/** It catches a signal, tidies up and exits with these. */
const signals: ReadonlyMap<number, string> = new Map([
  [130, "SIGINT"],
  [137, "SIGKILL"],
  [143, "SIGTERM"],
]);

/** It ends itself with this when the limit on its rounds is reached. */
const turnLimit = 53;

export function reachedTurnLimit(exit: Exit): boolean {
  return exit.code === turnLimit;
}

export function exitError(exit: Exit, stderrTail: string, onlyGarbage: boolean): ErrorInfo {
  const known = complaints.find(([pattern]) => pattern.test(stderrTail));
  if (known !== undefined) {
    const [pattern, code] = known;
    const line = stderrTail.split("\n").find((candidate) => pattern.test(candidate)) ?? stderrTail;
    return errorInfoOf(
      code,
      line
        .replace(/^(?:Error: )+/, "")
        .trim()
        .slice(0, 300),
    );
  }
  if (exit.code === 126 || exit.code === 127)
    return errorInfoOf(
      "not_installed",
      lastWords(`Qwen Code could not be started (exit code ${exit.code})`, stderrTail),
    );
  if (onlyGarbage) {
    return errorInfoOf(
      "protocol_error",
      lastWords("Qwen Code printed something that is not its protocol and ended", stderrTail),
      "Check that the command is really Qwen Code.",
    );
  }
  const signal = exit.signal ?? signals.get(exit.code ?? 0);
  const how =
    signal !== undefined
      ? `was ended by ${signal}`
      : exit.code === 0
        ? "ended without a result"
        : `ended with exit code ${exit.code}`;
  return errorInfoOf("agent_crashed", lastWords(`Qwen Code ${how}`, stderrTail));
}

/** Of every run: it is shipped without its search program's right to run. */
const noise = /^Ripgrep not available/;

function lastWords(what: string, stderrTail: string): string {
  const lines = stderrTail.split("\n").map((line) => line.trim());
  const line = lines.findLast((candidate) => candidate !== "" && !noise.test(candidate)) ?? "";
  return line === "" ? `${what}.` : `${what}: ${line.slice(0, 300)}`;
}
