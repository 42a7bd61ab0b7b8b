/** The opaque state of a leg: `cursor:1:<channel>:<chat id>`. Both channels keep their chats in one place, so either may try the other's id. */
import { ReinsError } from "../../events/errors.ts";
import type { Channel } from "./channel.ts";
import { program } from "./program.ts";

export function stateOf(channel: Channel, chatId: string): string {
  return `${program.id}:1:${channel}:${chatId}`;
}

/** Of a chat that was made and in which nothing was said: nothing of it may be on this machine yet. */
export function emptyStateOf(chatId: string): string {
  return `${program.id}:1:empty:${chatId}`;
}

export function isEmpty(state: string): boolean {
  return state.startsWith(emptyStateOf(""));
}

/** The id of the chat, whichever channel held it. Throws `session_not_found` for anything this version did not write. */
export function chatOf(state: string): string {
  const id = /^cursor:1:(?:acp|print|empty):([\w.-]+)$/.exec(state)?.[1];
  // An id that looks like an option would be taken for one.
  if (id !== undefined && !id.startsWith("-")) return id;
  const reason = state.startsWith(`${program.id}:`)
    ? "This state was written by another version of Reins, or is damaged"
    : `This state is not one of ${program.name}`;
  throw new ReinsError("session_not_found", `${reason}; the session cannot be resumed from it.`, {
    agent: program.id,
    help: "Start a new session, or resume it with the agent and the version of Reins it came from.",
  });
}
