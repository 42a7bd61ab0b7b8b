/** A process that ended in the middle of a turn: why, as far as its exit and its stderr tell. */
import type { ErrorCode, ErrorInfo } from "../../events/errors.ts";
import type { Exit } from "../../process/types.ts";
import type { ErrorInfoOf } from "./error-info.ts";

export interface ExitWords {
  /** The agent's name for people. */
  readonly name: string;
  /** What it prints when it does not like how it was started; there is no protocol then. */
  readonly complaints: readonly (readonly [RegExp, ErrorCode])[];
  /** Lines of every run, which explain nothing. */
  readonly noise?: RegExp | undefined;
  readonly info: ErrorInfoOf;
}

/** A program that catches a signal, tidies up and exits does it with these. */
const signals: ReadonlyMap<number, string> = new Map([
  [129, "SIGHUP"],
  [130, "SIGINT"],
  [137, "SIGKILL"],
  [143, "SIGTERM"],
]);

/** `onlyGarbage`: it printed something, and nothing of it was a message. */
export function exitErrorOf(exit: Exit, stderrTail: string, onlyGarbage: boolean, words: ExitWords): ErrorInfo {
  const { name, complaints, info } = words;
  const known = complaints.find(([pattern]) => pattern.test(stderrTail));
  if (known !== undefined) {
    const [pattern, code] = known;
    const line = stderrTail.split("\n").find((candidate) => pattern.test(candidate)) ?? stderrTail;
    return info(
      code,
      line
        .replace(/^(?:error:\s*)+/i, "")
        .trim()
        .slice(0, longest),
    );
  }
  const said = (what: string) => lastWords(what, stderrTail, words.noise);
  if (exit.code === 126 || exit.code === 127)
    return info("not_installed", said(`${name} could not be started (exit code ${exit.code})`));
  if (onlyGarbage) {
    const message = said(`${name} printed something that is not its protocol and ended`);
    return info("protocol_error", message, { help: `Check that the command is really ${name}.` });
  }
  return info("agent_crashed", said(`${name} ${howItEnded(exit)}`));
}

/** The most of a line that is said again. */
const longest = 300;

function howItEnded({ code, signal }: Exit): string {
  const by = signal ?? signals.get(code ?? 0);
  if (by !== undefined) return `was ended by ${by}`;
  return code === 0 ? "ended without a result" : `ended with exit code ${code}`;
}

function lastWords(what: string, stderrTail: string, noise: RegExp | undefined): string {
  const lines = stderrTail.split("\n").map((line) => line.trim());
  const line = lines.findLast((candidate) => candidate !== "" && noise?.test(candidate) !== true) ?? "";
  return line === "" ? `${what}.` : `${what}: ${line.slice(0, longest)}`;
}
