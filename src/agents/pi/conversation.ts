/** Which of pi's conversations a session goes on with. */
import { open } from "node:fs/promises";
import { resolve } from "node:path";
import { record, text } from "../../drivers/stream-json/read.ts";
import type { Wire } from "../../drivers/stream-json/read.ts";
import type { ReinsError } from "../../events/errors.ts";
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
  // What is no conversation is not given to pi, which would write one into it.
  if (header === "damaged") throw lost();
  const named = header === "missing" ? cwd : (text(header["cwd"]) ?? "");
  return { file, copy: fork === true || resolve(named) !== resolve(cwd) };
}

export function lost(): ReinsError {
  return notFound("pi's conversation is no longer there.");
}

async function headerOf(file: string): Promise<Wire | "missing" | "damaged"> {
  try {
    await using handle = await open(file);
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(headerBytes), 0, headerBytes, 0);
    const header = record(JSON.parse(buffer.toString("utf8", 0, bytesRead).split("\n", 1)[0]!));
    return header["type"] === "session" ? header : "damaged";
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ENOENT" ? "missing" : "damaged";
  }
}
