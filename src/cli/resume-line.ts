import type { TurnResult } from "../core/api.ts";

/** The command that goes on with this session, to be pasted into a shell. */
export function resumeLine({ state }: Pick<TurnResult, "state">): string | undefined {
  return state === undefined ? undefined : `reins run --resume ${shellWord(state)} "..."`;
}

function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
