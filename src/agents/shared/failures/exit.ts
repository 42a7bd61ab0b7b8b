/** A process that ended when it should not have: why, as far as its exit and its stderr tell. */
import type { ErrorCode } from "../../../events/errors.ts";
import type { Exit } from "../../../process/types.ts";
import type { FailureData } from "./classify.ts";

/** A program that catches a signal, tidies up and exits does it with these. */
const signals: ReadonlyMap<number, string> = new Map([
  [129, "SIGHUP"],
  [130, "SIGINT"],
  [137, "SIGKILL"],
  [143, "SIGTERM"],
]);

/** The most of a line that is told. */
const longest = 300;

interface ExitFailure {
  readonly code: ErrorCode;
  readonly message: string;
  readonly help?: string | undefined;
}

export function exitFailure(
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
    return { code, message: message.slice(0, longest) };
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
  return line === "" ? `${what}.` : `${what}: ${line.slice(0, longest)}`;
}
