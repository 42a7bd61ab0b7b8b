/** `server.json` in the state folder: how commands of the same user find the running server. */
import { rmSync } from "node:fs";
import { join } from "node:path";
import type { Environment } from "../core/config/config-files.ts";
import { stateHome } from "../process/home.ts";
import { readJson, writePrivate } from "../process/private-file.ts";
import { processTable } from "../process/table/table.ts";

export interface ServerFile {
  readonly url: string;
  readonly pid: number;
  /** The start time of the process, because pids are reused. */
  readonly start?: string | undefined;
  readonly token: string;
  readonly version: string;
  /** `environmentFingerprint` of the server, with its token as the secret. */
  readonly surroundings?: string | undefined;
  /** The server is limited to some folders. */
  readonly rooted?: boolean | undefined;
}

export async function announce(env: Environment, server: Omit<ServerFile, "pid" | "start">): Promise<() => void> {
  const path = serverFilePath(env);
  const start = await processTable().startOf(process.pid);
  writePrivate(path, `${JSON.stringify({ ...server, pid: process.pid, start })}\n`);
  return () => {
    // Another server may have replaced the file.
    if (readServerFile(path)?.pid === process.pid) rmSync(path, { force: true });
  };
}

/** Returns undefined if no server runs. A killed server leaves its file behind. */
export async function findServer(env: Environment): Promise<ServerFile | undefined> {
  const found = readServerFile(serverFilePath(env));
  if (found === undefined) return undefined;
  const start = await processTable().startOf(found.pid);
  return start !== undefined && start === found.start ? found : undefined;
}

function readServerFile(path: string): ServerFile | undefined {
  const value = readJson<Partial<ServerFile> | null>(path);
  const whole = typeof value?.url === "string" && typeof value.pid === "number" && typeof value.token === "string";
  return whole ? (value as ServerFile) : undefined;
}

export function serverFilePath(env: Environment): string {
  return join(stateHome(env), "server.json");
}
