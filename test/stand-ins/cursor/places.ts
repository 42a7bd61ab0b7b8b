/** The folders in which Cursor stores its files. */
import { createHash } from "node:crypto";
import { realpathSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";

const home = (): string => process.env["HOME"] || homedir();

/** Its settings and chats. */
export function configFolder(): string {
  if (process.env["CURSOR_CONFIG_DIR"]) return process.env["CURSOR_CONFIG_DIR"];
  const own = process.env["XDG_CONFIG_HOME"];
  return own ? join(own, "cursor") : join(home(), ".cursor");
}

/** Shared by all of Cursor's programs, including the editor. */
export const userFolder = (): string => join(home(), ".cursor");

/** Chats are stored under the physical path of their workspace. */
export function chatsFolder(cwd: string): string {
  const hash = createHash("md5").update(physical(cwd)).digest("hex");
  return join(configFolder(), "chats", hash);
}

/** Data about a workspace: its trust and its transcripts. */
export function projectFolder(cwd: string): string {
  const slug = physical(cwd)
    .replaceAll(/[^A-Za-z0-9]+/g, "-")
    .replaceAll(/^-|-$/g, "");
  return join(userFolder(), "projects", slug);
}

export const transcriptPath = (cwd: string, chat: string): string =>
  join(projectFolder(cwd), "agent-transcripts", chat, `${chat}.jsonl`);

export const worktreePath = (repository: string, name: string): string =>
  join(userFolder(), "worktrees", repository, name);

function physical(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
