/**
 * Cursor takes no system prompt. It reads AGENTS.md of its folder, so where a person allows it (REINS_CURSOR_AGENTS_MD=1) one stands there
 * as long as the session lives. One that is there already is somebody's, and is left as it is.
 */
import { ReinsError, toReinsError } from "../../events/errors.ts";
import type { AgentContext, OpenOptions } from "../contract.ts";
import { isOn } from "./options.ts";
import { program } from "./program.ts";

const file = "AGENTS.md";
/** Apart from its other borrowed files: only this knows what to take out of one. */
const owner = `${program.id}/instructions`;
const begin = "<!-- Put here by Reins for one session; it is taken away again. -->";
const end = "<!-- So far Reins. -->";

export interface Instructions {
  /** Why they are not there. */
  readonly missing?: string | undefined;
  giveBack(): void;
}

export function takesInstructions(env: AgentContext["env"]): boolean {
  return isOn(env, "AGENTS_MD");
}

/** Nothing where nobody asked for any, or nobody allowed it: that it cannot be done is then said by the core. */
export async function lendInstructions(
  { env, processes }: AgentContext,
  { cwd, systemPrompt }: Pick<OpenOptions, "cwd" | "systemPrompt">,
): Promise<Instructions | undefined> {
  if (systemPrompt?.how !== "append" || !takesInstructions(env)) return undefined;
  const text = `${begin}\n\n${systemPrompt.text}\n\n${end}\n`;
  try {
    if (processes.files === undefined)
      throw new ReinsError("unsupported", "files of the folder cannot be changed here");
    return await processes.files.borrow({
      agent: owner,
      root: cwd,
      path: file,
      change: (before) => {
        if (before === undefined) return text;
        throw new ReinsError("invalid_input", `${file} is there already`);
      },
      shares: (installed) => installed === text,
      retract: withoutInstructions,
    });
  } catch (error) {
    const why = toReinsError(error).message.replace(/\.$/, "");
    return { missing: `The system prompt does not stand in ${file}: ${why}.`, giveBack: () => {} };
  }
}

/** Somebody wrote into it meanwhile: theirs stays. */
export function withoutInstructions(now: string): string | undefined {
  const [from, to] = [now.indexOf(begin), now.indexOf(end)];
  if (from === -1 || to < from) return now;
  const rest = now.slice(0, from) + now.slice(to + end.length).replace(/^\r?\n/, "");
  return rest.trim() === "" ? undefined : rest;
}

export async function recoverInstructions({ processes }: AgentContext): Promise<void> {
  await processes.files?.recover(owner, withoutInstructions);
}
