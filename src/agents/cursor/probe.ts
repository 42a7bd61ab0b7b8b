/** Whether Cursor is here, which version, and who is signed in; without asking a model. */
import { toReinsError } from "../../events/errors.ts";
import type { AgentContext, Readiness } from "../contract.ts";
import { probeProgram } from "../shared/program.ts";
import { findCursor, notFound } from "./binary.ts";
import { environmentOf } from "./environment.ts";
import { program } from "./program.ts";
import { keyOf, signInIn } from "./sign-in.ts";

export async function probe(context: AgentContext): Promise<Readiness> {
  try {
    const { command, strangers } = await findCursor(context);
    if (command === undefined)
      return nothing(strangers.length === 0 ? program.installHelp : `${notFound(strangers)} ${program.installHelp}`);
    const env = environmentOf(context.env);
    return await probeProgram(program, context, {
      command,
      env,
      signIn: async (run) => keyOf(env) ?? signInIn((await run("status", "--format", "json")).stdout),
    });
  } catch (error) {
    const { message, help } = toReinsError(error);
    return nothing(`${message} ${help ?? ""}`.trim());
  }
}

function nothing(help: string): Readiness {
  return { ready: false, installed: false, signedIn: "unknown", help };
}
