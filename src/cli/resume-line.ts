import type { TurnResult } from "../core/api.ts";
import { commandName } from "./command-name.ts";

/** The command that goes on with this session, to be pasted into a shell. */
export function resumeLine(
  { state }: Pick<TurnResult, "state">,
  command = commandName(),
  kept?: string,
): string | undefined {
  if (kept !== undefined) return `${command} resume ${kept} "..."`;
  return state === undefined ? undefined : `${command} run --resume ${shellWord(state)} "..."`;
}

function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
