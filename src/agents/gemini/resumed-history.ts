/**
 * The files of a session that is resumed. Three things the program does to them would lose the conversation:
 * - It writes a session into a file whose name has the minute it began in, and loading one first begins a file of the present minute:
 *   within that minute it empties the very history it is about to read. So the file is given the name of an earlier minute; the
 *   program finds a session by what stands in its file.
 * - What it begins there stays behind without a message, and whenever it starts it removes such files, with every other file of the
 *   same session. So they are removed before that.
 * - So it also removes the file of a session that was opened elsewhere and not prompted yet; what is said then stands in a new file
 *   without the line that says whose it is. That line is put back.
 */
import { createHash } from "node:crypto";
import { readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { geminiFolder } from "./home.ts";
import type { Environment } from "./home.ts";

/** Before the program is started to load it. */
export async function keepHistory(sessionId: string, env: Environment, now: number = Date.now()): Promise<void> {
  for (const project of await projectsWith(sessionId, env)) {
    await removeEmpty(project, sessionId);
    const files = await filesOf(project, sessionId);
    for (const file of files) await putHeaderBack(project, file, sessionId);
    const present = fileName(sessionId, now);
    if (files.includes(present)) await rename(chat(project, present), chat(project, freeName(files, sessionId, now)));
  }
}

/** When it has loaded it. */
export async function tidyHistory(sessionId: string, env: Environment): Promise<void> {
  for (const project of await projectsWith(sessionId, env)) await removeEmpty(project, sessionId);
}

async function removeEmpty(project: string, sessionId: string): Promise<void> {
  const files = await filesOf(project, sessionId);
  const texts = await Promise.all(files.map((file) => readFile(chat(project, file), "utf8").catch(() => "")));
  if (!texts.some(hasMessages)) return;
  for (const [index, file] of files.entries())
    if (!hasMessages(texts[index]!)) await rm(chat(project, file), { force: true });
}

/** A message has a line of its own that begins with its id. */
function hasMessages(text: string): boolean {
  return /^\{"id":/m.test(text);
}

async function putHeaderBack(project: string, file: string, sessionId: string): Promise<void> {
  const text = await readFile(chat(project, file), "utf8");
  if (text === "" || text.startsWith('{"sessionId":')) return;
  const root = await readFile(join(project, ".project_root"), "utf8").catch(() => undefined);
  if (root === undefined) return;
  const projectHash = createHash("sha256").update(root.trim()).digest("hex");
  const time = new Date().toISOString();
  const header = { sessionId, projectHash, startTime: time, lastUpdated: time, kind: "main" };
  await writeFile(chat(project, file), `${JSON.stringify(header)}\n${text}`);
}

/** The folders of those projects that have files of the session. */
async function projectsWith(sessionId: string, env: Environment): Promise<string[]> {
  // It becomes a part of a path.
  if (!/^[\w-]+$/.test(sessionId)) return [];
  const folder = join(geminiFolder(env), "tmp");
  const projects = (await readdir(folder).catch(() => [])).map((name) => join(folder, name));
  const counts = await Promise.all(projects.map(async (project) => (await filesOf(project, sessionId)).length));
  return projects.filter((_, index) => counts[index]! > 0);
}

async function filesOf(project: string, sessionId: string): Promise<string[]> {
  const names = await readdir(join(project, "chats")).catch(() => []);
  return names.filter((name) => name.startsWith("session-") && name.endsWith(`-${sessionId.slice(0, 8)}.jsonl`));
}

function chat(project: string, file: string): string {
  return join(project, "chats", file);
}

function freeName(taken: readonly string[], sessionId: string, now: number): string {
  let name: string;
  let minute = 0;
  do name = fileName(sessionId, now - ++minute * 60_000);
  while (taken.includes(name));
  return name;
}

function fileName(sessionId: string, time: number): string {
  const minute = new Date(time).toISOString().slice(0, 16).replace(":", "-");
  return `session-${minute}-${sessionId.slice(0, 8)}.jsonl`;
}
