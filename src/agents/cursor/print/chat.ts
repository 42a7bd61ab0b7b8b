/** The chat of a print session over all its processes, one per turn. */
import { readdir, readFile, realpath, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Mode } from "../../../events/modes.ts";
import type { AgentEvent } from "../../../events/types.ts";
import { parseJson, record, text, type JsonObject } from "../../../protocols/json.ts";
import type { AgentContext, OpenOptions } from "../../contract.ts";
import { printModes } from "../launch.ts";
import { cursorError, cursorFolder, program } from "../program.ts";
import { stateOf } from "../session.ts";

const spellings = ["session_id", "sessionId", "sessionID", "chat_id", "chatId", "conversation_id", "conversationId"];

/** An id that can go on a command line and is not an option there. */
const usable = /^[\w.][\w.-]{0,199}$/;

export function chatIdIn(message: JsonObject): string | undefined {
  return spellings.map((name) => text(message[name])).find((id) => id !== undefined && usable.test(id));
}

/**
 * Throws `session_not_found` when the chat does not exist or belongs to another folder. Cursor would silently start a
 * new one under an unknown id, and the user would talk to an agent that has forgotten everything.
 */
export async function requireChat(chatId: string, cwd: string, env: AgentContext["env"]): Promise<void> {
  const home = cursorFolder(env);
  const chats = await inside(join(home, "chats"), chatId);
  if (chats.length === 0 && (await inside(join(home, "projects"), "agent-transcripts", chatId)).length > 0) return;
  const folders = await Promise.all(chats.map(folderOf));
  const here = await realpath(cwd).catch(() => cwd);
  if (folders.some((folder) => folder === undefined || folder === here)) return;
  const message =
    chats.length === 0
      ? `${program.name} has no conversation ${chatId} on this machine.`
      : `The conversation ${chatId} of ${program.name} belongs to ${folders[0]} and cannot be resumed in another folder.`;
  throw cursorError("session_not_found", message, "Start a new session.");
}

/** The folders `<folder>/<any>/<names>`. */
async function inside(folder: string, ...names: readonly string[]): Promise<string[]> {
  const found = await readdir(folder).catch(() => []);
  const paths = found.map((name) => join(folder, name, ...names));
  const there = await Promise.all(paths.map((path) => stat(path).catch(() => undefined)));
  return paths.filter((_, index) => there[index]?.isDirectory() === true);
}

async function folderOf(chat: string): Promise<string | undefined> {
  const meta = await readFile(join(chat, "meta.json"), "utf8").catch(() => "");
  const cwd = text(record(parseJson(meta))["cwd"]);
  return cwd === undefined ? undefined : realpath(cwd).catch(() => cwd);
}

export class PrintChat {
  id: string | undefined;
  started = false;
  mode: Mode;
  model: string | undefined;
  readonly #cwd: string;
  readonly #resumed: boolean;

  constructor({ cwd, mode, model }: Pick<OpenOptions, "cwd" | "mode" | "model">, chatId: string | undefined) {
    this.#cwd = cwd;
    this.mode = mode;
    this.model = model;
    this.id = chatId;
    this.#resumed = chatId !== undefined;
  }

  get state(): string | undefined {
    return this.id === undefined ? undefined : stateOf("print", this.id);
  }

  /** Called when a process reports its chat. A new id replaces the previous one. */
  told(chatId: string | undefined, modelLabel: string | undefined): readonly AgentEvent[] {
    const isOther = chatId !== undefined && chatId !== this.id;
    this.id = chatId ?? this.id;
    const { state, mode, model } = this;
    if (this.started) return isOther ? [{ type: "session.updated", state, by: "agent" }] : [];
    this.started = true;
    const nativeMode = printModes[mode];
    const [cwd, resumed] = [this.#cwd, this.#resumed];
    return [{ type: "session.started", model, modelLabel, mode, nativeMode, cwd, resumed, state }];
  }
}
