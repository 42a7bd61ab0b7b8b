/** Marks in the environment of every process that Reins starts. Descendants inherit them, even outside their group and session. */
import { randomHex } from "../crypto.ts";

/** The run of Reins that started the process. A Reins inside a Reins puts its own run first: `inner,outer`. */
export const runVariable = "REINS_RUN";
/** The child of that run, nested the same way. */
export const childVariable = "REINS_CHILD";

export interface Marks {
  readonly runs: readonly string[];
  readonly children: readonly string[];
}

export function newMark(): string {
  return randomHex(10);
}

/** Marks for a child, followed by the marks of this process. */
export function markVariables(
  outer: Readonly<Record<string, string | undefined>>,
  run: string,
  child: string,
): Record<string, string> {
  const nest = (mark: string, name: string): string => (outer[name] ? `${mark},${outer[name]}` : mark);
  return { [runVariable]: nest(run, runVariable), [childVariable]: nest(child, childVariable) };
}

export function parseMarks(value: string | undefined): readonly string[] {
  return value ? value.split(",") : [];
}

/** Reads `/proc/<pid>/environ`. Returns undefined if there are no marks. */
export function marksOf(environ: Buffer): Marks | undefined {
  const runs = variable(environ, runVariable);
  return runs === undefined
    ? undefined
    : { runs: parseMarks(runs), children: parseMarks(variable(environ, childVariable)) };
}

function variable(environ: Buffer, name: string): string | undefined {
  const entry = `${name}=`;
  for (let at = environ.indexOf(entry); at !== -1; at = environ.indexOf(entry, at + 1)) {
    if (at > 0 && environ[at - 1] !== 0) continue;
    const end = environ.indexOf(0, at);
    return environ.toString("latin1", at + entry.length, end === -1 ? environ.length : end);
  }
  return undefined;
}
