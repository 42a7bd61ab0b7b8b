/** From options to a conversation with one process a prompt (`agent -p`). Nothing is started before the first prompt. */
import type { AgentContext, AgentSession, OpenOptions } from "../../contract.ts";
import type { Command } from "../../shared/program.ts";
import { environmentOf } from "../environment.ts";
import { openHooks } from "../hooks/index.ts";
import { installedVersion } from "../installed-version.ts";
import { chatOf, isEmpty } from "../state.ts";
import { requireChat } from "./chats.ts";
import { printArguments } from "./print-launch.ts";
import { PrintSession } from "./print-session.ts";

export async function openPrint(context: AgentContext, options: OpenOptions, command: Command): Promise<AgentSession> {
  const { state, cwd, mode, env } = options;
  const chatId = state === undefined ? undefined : chatOf(state);
  // What cannot be passed on is said now, and not at the first prompt.
  printArguments(context.env, options, { mode });
  if (state !== undefined && chatId !== undefined && !isEmpty(state))
    await requireChat(chatId, cwd, environmentOf(context.env, env));
  const session = new PrintSession({ context, options, command, chatId });
  session.hooks = await openHooks({
    context,
    options,
    version: await installedVersion(command, context),
    say: (events) => session.say(events),
    isPrompted: () => session.isPrompted,
    stop: () => void session.cancel(),
  });
  return session;
}
