/** The settings of one session: ours, over those that a caller hands over in `--settings`. The program takes the last of them alone. */
import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { isRecord, record } from "../../drivers/stream-json/read.ts";
import type { Wire } from "../../drivers/stream-json/read.ts";
import { ReinsError } from "../../events/errors.ts";

/** What `--bare` sets. */
export const bareVariable = "CLAUDE_CODE_SIMPLE";

const flag = "--settings";

/**
 * They go before a person's own settings, which may set that variable too. While it plans, a model of its own would decide which commands
 * may run, and nobody would be asked.
 */
export function heldSettings(own: Wire = {}): string {
  return JSON.stringify({ ...own, env: { ...record(own["env"]), [bareVariable]: "" }, useAutoModeDuringPlan: false });
}

export interface FurtherArguments {
  readonly rest: readonly string[];
  /** The caller's settings with ours over them. They may have keys in them, so they do not go on the command line. */
  readonly settings?: string;
}

/** Takes the caller's settings out of further arguments. A path is seen from the folder of the session, as the program would. */
export async function takeSettings(extraArgs: readonly string[], cwd: string): Promise<FurtherArguments> {
  const rest: string[] = [];
  let given: string | undefined;
  for (let at = 0; at < extraArgs.length; at++) {
    const argument = extraArgs[at]!;
    if (argument === flag) given = extraArgs[++at] ?? "";
    else if (argument.startsWith(`${flag}=`)) given = argument.slice(flag.length + 1);
    else rest.push(argument);
  }
  if (given === undefined) return { rest };
  return { rest, settings: heldSettings(await readSettings(given.trim(), cwd)) };
}

async function readSettings(given: string, cwd: string): Promise<Wire> {
  if (given === "") throw invalid(`Claude Code's ${flag} has no value.`);
  if (given.startsWith("{")) return objectIn(given, `The text of Claude Code's ${flag}`);
  const file = resolve(cwd, given);
  const content = await readFile(file, "utf8").catch(() => {
    throw invalid(`The file of Claude Code's ${flag} cannot be read: ${file}.`);
  });
  return objectIn(content.replace(/^\uFEFF/, ""), `The file of Claude Code's ${flag} (${file})`);
}

function objectIn(json: string, what: string): Wire {
  try {
    const settings: unknown = JSON.parse(json);
    if (isRecord(settings)) return settings;
  } catch {
    // Said below; what the parser says would show a piece of it.
  }
  throw invalid(`${what} is no JSON object.`);
}

function invalid(message: string): ReinsError {
  return new ReinsError("invalid_input", message, {
    agent: "claude",
    help: "Hand over a JSON object, or the path of a file with one.",
  });
}
