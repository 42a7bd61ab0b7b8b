/** A process that ended in the middle of a turn: why, as far as its exit and its stderr tell. */
import type { ErrorCode, ErrorInfo } from "../../events/errors.ts";
import type { Exit } from "../../process/types.ts";
import { errorInfoOf } from "./errors.ts";

/** What it prints when it does not like how it was started; there is no JSON then. */
const complaints: readonly (readonly [RegExp, ErrorCode])[] = [
  [/No conversation found with session ID/, "session_not_found"],
  [/Session ID \S+ is already in use/, "session_busy"],
  [/Not logged in|Invalid API key|Please run \/login|OAuth token has expired/i, "not_authenticated"],
  [
    /unknown option|is invalid\. Allowed choices|requires --|cannot be used with|must be provided|option .* argument/i,
    "invalid_input",
  ],
  [/^Error: (Invalid|Settings file|MCP config|Session ID|--)/m, "invalid_input"],
  [/Expected message role|Error parsing streaming input/, "protocol_error"],
];

/** It catches a signal, tidies up and exits with these. */
const signals: ReadonlyMap<number, string> = new Map([
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
    return errorInfoOf(
      "not_installed",
      lastWords(`Claude Code could not be started (exit code ${exit.code})`, stderrTail),
    );
  if (onlyGarbage) {
    return errorInfoOf(
      "protocol_error",
      lastWords("Claude Code printed something that is not its protocol and ended", stderrTail),
      {
        help: "Check that the command is really Claude Code.",
      },
    );
  }
  const signal = exit.signal ?? signals.get(exit.code ?? 0);
  const how =
    signal !== undefined
      ? `was ended by ${signal}`
      : exit.code === 0
        ? "ended without a result"
        : `ended with exit code ${exit.code}`;
  return errorInfoOf("agent_crashed", lastWords(`Claude Code ${how}`, stderrTail));
}

function lastWords(what: string, stderrTail: string): string {
  const line = stderrTail.trim().split("\n").at(-1)?.trim() ?? "";
  return line === "" ? `${what}.` : `${what}: ${line.slice(0, 300)}`;
}
