/**
 * Whether Cursor still has a conversation. It makes a new one under an id that it does not know, and says nothing: whoever thinks to go on
 * would talk to somebody who has forgotten everything.
 */
import { readdir, readFile, realpath, stat } from "node:fs/promises";
import { join } from "node:path";
import { record, text } from "../../../drivers/stream-json/read.ts";
import { ReinsError } from "../../../events/errors.ts";
import { cursorFolder } from "../home.ts";
import { parsed } from "../output.ts";
import { program } from "../program.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** Throws `session_not_found` where it is not there, or was held in another folder. */
export async function requireChat(chatId: string, cwd: string, env: Environment): Promise<void> {
  const home = cursorFolder(env);
  const chats = await inside(join(home, "chats"), chatId);
  if (chats.length === 0 && (await inside(join(home, "projects"), "agent-transcripts", chatId)).length > 0) return;
  const places = await Promise.all(chats.map(placeOf));
  if (chats.length === 0) throw notFound(`${program.name} has no conversation ${chatId} on this machine.`);
  const here = await realpath(cwd).catch(() => cwd);
  if (places.some((place) => place === undefined || place === here)) return;
  throw notFound(
    `${program.name} held the conversation ${chatId} in ${places[0]}, and does not know it in another folder.`,
  );
}

/** Folders of this name in any folder of that one. */
async function inside(folder: string, ...names: readonly string[]): Promise<string[]> {
  const found = await readdir(folder).catch(() => []);
  const paths = found.map((name) => join(folder, name, ...names));
  const there = await Promise.all(paths.map((path) => stat(path).catch(() => undefined)));
  return paths.filter((_, index) => there[index]?.isDirectory() === true);
}

/** Undefined where it does not say. */
async function placeOf(chat: string): Promise<string | undefined> {
  const cwd = text(record(parsed(await readFile(join(chat, "meta.json"), "utf8").catch(() => "")))["cwd"]);
  return cwd === undefined ? undefined : realpath(cwd).catch(() => cwd);
}

function notFound(message: string): ReinsError {
  return new ReinsError("session_not_found", message, { agent: program.id, help: "Start a new session." });
}
