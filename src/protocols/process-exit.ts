import { ReinsError } from "../events/errors.ts";
import type { Exit } from "../process/types.ts";

/** The `cause` of the error when the process ended before it answered. */
export interface Gone extends Exit {
  readonly stderrTail: string;
}

export function goneError(name: string, agent: string, exit: Exit, stderrTail: string): ReinsError {
  const how = exit.signal === null ? `with code ${exit.code}` : `by ${exit.signal}`;
  const said = stderrTail.trimEnd().split("\n").at(-1)?.trim().slice(0, 300) ?? "";
  return new ReinsError("agent_crashed", `${name} ended ${how}${said === "" ? "." : `: ${said}`}`, {
    agent,
    cause: { code: exit.code, signal: exit.signal, stderrTail } satisfies Gone,
  });
}

export function goneOf(error: unknown): Gone | undefined {
  const cause = error instanceof Error ? error.cause : undefined;
  return typeof cause === "object" && cause !== null && "stderrTail" in cause ? (cause as Gone) : undefined;
}
