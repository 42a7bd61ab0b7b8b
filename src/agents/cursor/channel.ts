/** How a session is spoken to: over ACP, where Reins may be asked, or one process a prompt (`-p`), which asks nobody. */
import { ReinsError } from "../../events/errors.ts";
import { variableOf } from "../variable.ts";
import { program } from "./program.ts";

export type Channel = "acp" | "print";

const variable = variableOf(program.id, "CHANNEL");

/** ACP unless somebody says otherwise: permissions, questions and a change of mode may always be needed. */
export function channelIn(env: Readonly<Record<string, string | undefined>>): Channel {
  const given = env[variable]?.trim() ?? "";
  if (given === "" || given === "acp") return "acp";
  if (given === "print") return "print";
  throw new ReinsError("invalid_input", `${variable} is ${JSON.stringify(given)}, which is no channel.`, {
    agent: program.id,
    help: `Set it to acp or print, or leave it out.`,
  });
}
