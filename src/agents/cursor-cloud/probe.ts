/** Whether a key is set. Nobody is asked: that is what `verify` is for. */
import { toReinsError } from "../../events/errors.ts";
import type { AgentContext, Readiness } from "../contract.ts";
import { keyHelp, keyIn, keyVariable, settingsOf } from "./settings.ts";

export async function probe({ env }: Pick<AgentContext, "env">): Promise<Readiness> {
  if (keyIn(env) === undefined) return { ready: false, installed: true, signedIn: "no", help: keyHelp };
  const who = { installed: true, signedIn: "yes", signedInHow: `API key (${keyVariable})` } as const;
  try {
    settingsOf(env);
    return { ...who, ready: true };
  } catch (thrown) {
    return { ...who, ready: false, help: toReinsError(thrown).message };
  }
}
