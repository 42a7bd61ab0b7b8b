/** Which of pi's conversations a session goes on with, looked at before pi does: it would make up one that is missing. */
import { open } from "node:fs/promises";
import { resolve } from "node:path";
import { record, text } from "../../drivers/stream-json/read.ts";
import type { OpenOptions } from "../contract.ts";
import type { PrivateFiles } from "../shared/private-files.ts";
import { historyText } from "./history.ts";
import type { Conversation } from "./launch.ts";
import { decodeState, notFound } from "./state.ts";

/** More than any header has. */
const headerBytes = 64 * 1024;

/** Elsewhere than in its own folder it goes on as a copy: pi would work in the folder that the conversation names. */
export async function conversationOf(options: OpenOptions, files: PrivateFiles, folder: string): Promise<Conversation> {
  const { state, history = [], cwd, fork } = options;
  if (state === undefined)
    return history.length === 0
      ? {}
      : { file: await files.write("history.jsonl", historyText(history, cwd)), copy: true };
  const file = decodeState(state, folder);
  const header = await headerOf(file);
  if (header === undefined) throw notFound("pi's conversation is no longer there.");
  const named = text(record(header)["cwd"]);
  return { file, copy: fork === true || named === undefined || resolve(named) !== resolve(cwd) };
}

async function headerOf(file: string): Promise<unknown> {
  try {
    await using handle = await open(file);
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(headerBytes), 0, headerBytes, 0);
    const header: unknown = JSON.parse(buffer.toString("utf8", 0, bytesRead).split("\n", 1)[0]!);
    return record(header)["type"] === "session" ? header : undefined;
  } catch {
    return undefined;
  }
}
