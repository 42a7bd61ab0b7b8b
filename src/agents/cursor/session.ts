/** Opens a session over the chosen channel: the opaque state, and the system prompt in AGENTS.md while the session lives. */
import { ReinsError, toReinsError } from "../../events/errors.ts";
import type { AgentEvent } from "../../events/types.ts";
import { unknownState } from "../../protocols/conversation-state.ts";
import type { AgentContext, OpenOptions } from "../contract.ts";
import type { OpenSession } from "../shared/program/program-agent.ts";
import { isOn, type Channel } from "./launch.ts";
import { program } from "./program.ts";

/** `cursor:1:<channel>:<chat id>`. Both channels keep their chats in one place, so each may try the other's id. */
export function stateOf(channel: Channel | "empty", chatId: string): string {
  return `${program.id}:1:${channel}:${chatId}`;
}

/** True for a chat that was created and never used: it may not exist on this machine yet. */
export function isEmpty(state: string): boolean {
  return state.startsWith(stateOf("empty", ""));
}

/** Throws `session_not_found` for a state that this version did not write. */
export function chatOf(state: string): string {
  // An id that starts with a dash would be taken for an option.
  const id = /^cursor:1:(?:acp|print|empty):([\w.][\w.-]*)$/.exec(state)?.[1];
  if (id === undefined) throw unknownState(program, state);
  return id;
}

/** Adds notices about unsupported options right after `session.started`. */
export async function* remarked(
  messages: readonly string[],
  events: AsyncIterable<readonly AgentEvent[]>,
): AsyncGenerator<readonly AgentEvent[], void, undefined> {
  const notice = { type: "notice", level: "warning", code: "divergence" } as const;
  let untold = messages.map((message): AgentEvent => ({ ...notice, message }));
  for await (const batch of events) {
    const at = batch[0]?.type === "session.started" ? 1 : 0;
    yield untold.length === 0 ? batch : batch.toSpliced(at, 0, ...untold);
    untold = [];
  }
}

const file = "AGENTS.md";
/** Separate from the other borrowed files: only this code knows what to remove from this one. */
const owner = `${program.id}/instructions`;
const begin = "<!-- Put here by Reins for one session; it is taken away again. -->";
const end = "<!-- So far Reins. -->";

interface Instructions {
  /** Why the instructions are not in the file. */
  readonly missing?: string | undefined;
  giveBack(): void;
}

export function takesInstructions(env: AgentContext["env"]): boolean {
  return isOn(env, "AGENTS_MD");
}

/**
 * Cursor accepts no system prompt, but reads AGENTS.md in its folder. If the user allows it (REINS_CURSOR_AGENTS_MD=1),
 * Reins puts the prompt there while the session lives; an existing file is left alone. Undefined when no prompt was
 * given or the user did not allow it.
 */
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
        throw new ReinsError("invalid_input", `${file} already exists`);
      },
      shares: (installed) => installed === text,
      retract: withoutInstructions,
    });
  } catch (error) {
    const why = toReinsError(error).message.replace(/\.$/, "");
    return { missing: `The system prompt is not in ${file}: ${why}.`, giveBack: () => {} };
  }
}

/** Keeps what somebody else added meanwhile. */
export function withoutInstructions(now: string): string | undefined {
  const [from, to] = [now.indexOf(begin), now.indexOf(end)];
  if (from === -1 || to < from) return now;
  const rest = now.slice(0, from) + now.slice(to + end.length).replace(/^\r?\n/, "");
  return rest.trim() === "" ? undefined : rest;
}

export async function recoverInstructions({ processes }: AgentContext): Promise<void> {
  await processes.files?.recover(owner, withoutInstructions);
}

export const opening: Readonly<Record<Channel, OpenSession>> = {
  acp: instructed(async (...given) => (await import("./acp/open.ts")).openOverAcp(...given)),
  print: instructed(async (...given) => (await import("./print/session.ts")).openPrint(...given)),
};

function instructed(open: OpenSession): OpenSession {
  return async (context, options, command) => {
    const instructions = await lendInstructions(context, options);
    if (instructions === undefined) return open(context, options, command);
    const { missing } = instructions;
    try {
      // A prompt that is in the file is not passed by a hook as well.
      const kept = missing === undefined ? { ...options, systemPrompt: undefined } : options;
      const session = await open(context, kept, command);
      return {
        events: missing === undefined ? session.events : remarked([missing], session.events),
        get state() {
          return session.state;
        },
        startsAhead: session.startsAhead,
        prompt: (input, ready) => session.prompt(input, ready),
        answer: (requestId, answer) => session.answer(requestId, answer),
        configure: (change) => session.configure(change),
        cancel: () => session.cancel(),
        close: () => session.close().finally(() => instructions.giveBack()),
      };
    } catch (error) {
      instructions.giveBack();
      throw error;
    }
  };
}
