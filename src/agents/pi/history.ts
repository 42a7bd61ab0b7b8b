/** pi's conversations: the state that names one, its file, and earlier messages in pi's own format, from which pi makes a copy. */
import { randomUUID } from "node:crypto";
import { open } from "node:fs/promises";
import { isAbsolute, resolve } from "node:path";
import { ReinsError } from "../../events/errors.ts";
import { record, text, type JsonObject } from "../../protocols/json.ts";
import { pathRules, relativeTo } from "../../workspace/paths.ts";
import type { HistoryMessage, OpenOptions } from "../contract.ts";
import type { PrivateFiles } from "../shared/program/private-files.ts";

/** A new conversation, an earlier one, or a copy of one. */
export interface Conversation {
  readonly file?: string | undefined;
  readonly copy?: boolean | undefined;
}

const prefix = "pi:1:";

/**
 * The opaque state of a leg contains the file of the conversation relative to pi's own folder. It contains the file
 * rather than the id, because pi looks for ids only among the conversations of one workspace, and asks on its stdin
 * what to do with others.
 */
export function encodeState(file: string, folder: string): string {
  return prefix + (relativeTo(folder, file, pathRules()) ?? file);
}

/** The conversation's file. Throws `session_not_found` for anything this version did not write. */
export function decodeState(state: string, folder: string): string {
  const file = state.slice(prefix.length);
  const isFile = file.endsWith(".jsonl") && !file.includes("\0");
  const isInside = relativeTo(folder, resolve(folder, file), pathRules()) !== undefined;
  if (state.startsWith(prefix) && isFile && (isInside || isAbsolute(file))) return resolve(folder, file);
  const reason = state.startsWith("pi:")
    ? "This state was written by another version of Reins, or is damaged"
    : "This state is not one of pi";
  throw notFound(`${reason}; the session cannot be resumed from it.`);
}

export function notFound(message: string): ReinsError {
  return new ReinsError("session_not_found", message, {
    agent: "pi",
    help: "Start a new session, or resume it with the agent and the version of Reins it came from.",
  });
}

const headerBytes = 64 * 1024;

/** In another folder a conversation continues as a copy, because pi would work in the folder that the conversation names. */
export async function conversationOf(options: OpenOptions, files: PrivateFiles, folder: string): Promise<Conversation> {
  const { state, history = [], cwd, fork } = options;
  if (state === undefined)
    return history.length === 0
      ? {}
      : { file: await files.write("history.jsonl", historyText(history, cwd)), copy: true };
  const file = decodeState(state, folder);
  const header = await headerOf(file);
  // pi would write a conversation into any file.
  if (header === "damaged") throw lost();
  const named = header === "missing" ? cwd : (text(header["cwd"]) ?? "");
  return { file, copy: fork === true || resolve(named) !== resolve(cwd) };
}

export function lost(): ReinsError {
  return notFound("pi no longer has this conversation.");
}

async function headerOf(file: string): Promise<JsonObject | "missing" | "damaged"> {
  try {
    await using handle = await open(file);
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(headerBytes), 0, headerBytes, 0);
    const header = record(JSON.parse(buffer.toString("utf8", 0, bytesRead).split("\n", 1)[0]!));
    return header["type"] === "session" ? header : "damaged";
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ENOENT" ? "missing" : "damaged";
  }
}

const nothing = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };
const usage = { ...nothing, totalTokens: 0, cost: { ...nothing, total: 0 } };

export function historyText(history: readonly HistoryMessage[], cwd: string, now = new Date()): string {
  const timestamp = now.toISOString();
  const header = { type: "session", version: 3, id: randomUUID(), timestamp, cwd };
  const entries = history.map((message, index) => ({
    type: "message",
    id: entryId(index),
    parentId: index === 0 ? null : entryId(index - 1),
    timestamp,
    message: { ...spoken(message), timestamp: now.getTime() },
  }));
  return [header, ...entries].map((entry) => `${JSON.stringify(entry)}\n`).join("");
}

function spoken({ role, text }: HistoryMessage): object {
  const content = [{ type: "text", text }];
  if (role === "person") return { role: "user", content };
  // The model is unknown; pi passes on answers of other models as plain text.
  return {
    role: "assistant",
    content,
    api: "unknown",
    provider: "unknown",
    model: "unknown",
    usage,
    stopReason: "stop",
  };
}

function entryId(index: number): string {
  return index.toString(16).padStart(8, "0");
}
