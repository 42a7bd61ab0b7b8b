/** The latest results of `doctor --prove`: one small file per agent in the state folder. */
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { stateHome } from "../../process/home.ts";
import type { Environment } from "../config/config-files.ts";

export interface ProofNote {
  readonly version: string;
  readonly at: string;
  readonly proven: number;
  readonly failed: number;
}

export async function readProofNote(id: string, env: Environment): Promise<ProofNote | undefined> {
  try {
    const note = JSON.parse(await readFile(fileOf(id, env), "utf8")) as Partial<ProofNote>;
    const { version, at, proven, failed } = note;
    if (typeof version !== "string" || typeof at !== "string") return undefined;
    return typeof proven === "number" && typeof failed === "number" ? { version, at, proven, failed } : undefined;
  } catch {
    return undefined;
  }
}

/** When the file cannot be written, the next `doctor` shows less; nothing else is lost. */
export async function writeProofNote(id: string, note: ProofNote, env: Environment): Promise<void> {
  const file = fileOf(id, env);
  await mkdir(join(file, ".."), { recursive: true, mode: 0o700 })
    .then(() => writeFile(file, JSON.stringify(note), { mode: 0o600 }))
    .catch(() => undefined);
}

function fileOf(id: string, env: Environment): string {
  return join(stateHome(env), "proofs", `${encodeURIComponent(id)}.json`);
}
