/** Where a running server is found by the person's other commands: `server.json` in the state home, for their eyes only. */
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { stateHome } from "../process/home.ts";
import { processTable } from "../process/table/table.ts";

export interface ServerFile {
  readonly url: string;
  readonly pid: number;
  /** When the process was started: pids are used again. */
  readonly start?: string | undefined;
  readonly token: string;
  readonly version: string;
  /** `environmentFingerprint` the server, with its token as the secret. */
  readonly surroundings?: string | undefined;
  /** It works in some folders only. */
  readonly rooted?: boolean | undefined;
}

type Environment = Readonly<Record<string, string | undefined>>;

export async function announce(env: Environment, server: Omit<ServerFile, "pid" | "start">): Promise<() => void> {
  const path = serverFilePath(env);
  const start = await startOf(process.pid);
  writePrivate(path, `${JSON.stringify({ ...server, pid: process.pid, start })}\n`);
  return () => {
    // Another one may have taken the place since.
    if (readServerFile(path)?.pid === process.pid) rmSync(path, { force: true });
  };
}

/** Undefined where none runs: one that was killed leaves its file behind. */
export async function findServer(env: Environment): Promise<ServerFile | undefined> {
  const found = readServerFile(serverFilePath(env));
  if (found === undefined) return undefined;
  const start = await startOf(found.pid);
  return start !== undefined && start === found.start ? found : undefined;
}

function readServerFile(path: string): ServerFile | undefined {
  try {
    const value = JSON.parse(readFileSync(path, "utf8")) as Partial<ServerFile> | null;
    const whole = typeof value?.url === "string" && typeof value.pid === "number" && typeof value.token === "string";
    return whole ? (value as ServerFile) : undefined;
  } catch {
    return undefined;
  }
}

function startOf(pid: number): Promise<string | undefined> {
  return processTable().startOf(pid);
}

/** By itself, because every command looks whether it is there, and few find it. */
export function serverFilePath(env: Readonly<Record<string, string | undefined>>): string {
  return join(stateHome(env), "server.json");
}

/** A file that only the person may read, whole or not at all. */
export function writePrivate(path: string, text: string): void {
  mkdirSync(join(path, ".."), { recursive: true, mode: 0o700 });
  const partial = `${path}.${process.pid}.part`;
  writeFileSync(partial, text, { mode: 0o600 });
  renameSync(partial, path);
}
