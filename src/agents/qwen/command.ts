/** Which program Qwen Code is. */
import { ReinsError } from "../../events/errors.ts";

export interface Command {
  readonly path: string;
  readonly args: readonly string[];
}

/**
 * `qwen`, or what REINS_QWEN_COMMAND says: a name, a path (spaces are part of it), or a JSON array of a program and its
 * first arguments: `["node","/opt/qwen/cli.js"]`.
 */
export function commandOf(env: Readonly<Record<string, string | undefined>>): Command {
  const given = env["REINS_QWEN_COMMAND"]?.trim() ?? "";
  if (given === "") return { path: "qwen", args: [] };
  if (!given.startsWith("[")) return { path: given, args: [] };
  const [path, ...args] = words(given);
  return { path: path!, args };
}

function words(json: string): string[] {
  try {
    const parsed: unknown = JSON.parse(json);
    if (Array.isArray(parsed) && parsed.length > 0 && parsed.every((word) => typeof word === "string" && word !== ""))
      return parsed as string[];
  } catch {
    // Said below.
  }
  throw new ReinsError("invalid_input", "REINS_QWEN_COMMAND starts like a JSON array but is not one of texts.", {
    agent: "qwen",
    help: 'Set it to a path, or to an array such as ["node","/opt/qwen/cli.js"].',
  });
}
