/**
 * Sessions that are resumed soon. The program writes each into a file whose name has the minute it began in, and loading one begins
 * a file of that name anew: within the minute it would empty the very history it is about to read. So such a file is first given the
 * name of an earlier minute; the program finds a session by what stands in its file.
 */
import { access, readdir, rename } from "node:fs/promises";
import { join } from "node:path";
import { geminiFolder } from "./home.ts";
import type { Environment } from "./home.ts";

export async function keepHistory(sessionId: string, env: Environment, now: number = Date.now()): Promise<void> {
  // It becomes a part of a path.
  if (!/^[\w-]+$/.test(sessionId)) return;
  const projects = join(geminiFolder(env), "tmp");
  const file = fileName(sessionId, now);
  for (const project of await readdir(projects).catch(() => [])) {
    const chats = join(projects, project, "chats");
    if (await exists(join(chats, file))) await rename(join(chats, file), await freeName(chats, sessionId, now));
  }
}

async function freeName(chats: string, sessionId: string, now: number): Promise<string> {
  for (let minute = 1; ; minute++) {
    const path = join(chats, fileName(sessionId, now - minute * 60_000));
    if (!(await exists(path))) return path;
  }
}

function fileName(sessionId: string, time: number): string {
  const minute = new Date(time).toISOString().slice(0, 16).replace(":", "-");
  return `session-${minute}-${sessionId.slice(0, 8)}.jsonl`;
}

function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
