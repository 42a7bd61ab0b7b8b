/** The held terminals of this machine: a private folder with a file for each terminal, its socket and its recording. */
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { ReinsError } from "../../events/errors.ts";
import { stateHome } from "../../process/home.ts";
import { parseJson, record, text } from "../json.ts";

export interface HeldTerminal {
  /** The id of the session that the recording belongs to. */
  readonly id: string;
  readonly agent: string;
  readonly argv: readonly string[];
  readonly cwd: string;
  /** ISO 8601. */
  readonly startedAt: string;
  /** The process id of the holder. */
  readonly pid: number;
  readonly socket: string;
}

export function terminalsFolder(env: Readonly<Record<string, string | undefined>>): string {
  return join(stateHome(env), "terminals");
}

export function recordingPath(folder: string, id: string): string {
  return join(folder, `${id}.cast`);
}

/** The address of a Unix socket has at most 108 bytes on Linux and 104 on macOS. */
const longestSocketPath = 100;

/**
 * Creates the folder, readable only by its user, and returns a path for the socket: in the folder, or in a private temporary folder when
 * that path is too long.
 */
export function prepareSocket(folder: string, id: string): string {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  chmodSync(folder, 0o700);
  const path = join(folder, `${id}.sock`);
  if (Buffer.byteLength(path) <= longestSocketPath) return path;
  return join(mkdtempSync(join(tmpdir(), "reins-terminal-")), "socket");
}

export function writeHeld(folder: string, held: HeldTerminal): void {
  writeFileSync(join(folder, `${held.id}.json`), JSON.stringify(held), { mode: 0o600 });
}

/** Removes the files of a terminal, except its recording. */
export function removeHeld(folder: string, { id, socket }: Pick<HeldTerminal, "id" | "socket">): void {
  rmSync(join(folder, `${id}.json`), { force: true });
  rmSync(socket, { force: true });
  if (dirname(socket) === folder) return;
  try {
    rmdirSync(dirname(socket));
  } catch {
    // Not empty, or not a folder of Reins: leave it.
  }
}

/** Lists terminals whose holder answers, the newest first. Removes the files of terminals whose holder was killed. */
export async function listHeld(folder: string): Promise<readonly HeldTerminal[]> {
  let names: readonly string[];
  try {
    names = readdirSync(folder).filter((name) => name.endsWith(".json"));
  } catch {
    return [];
  }
  const found = names.flatMap((name) => heldIn(join(folder, name)) ?? []);
  const alive = await Promise.all(found.map(({ socket }) => answers(socket)));
  found.forEach((held, index) => alive[index] !== true && removeHeld(folder, held));
  return found.filter((_, index) => alive[index]).toSorted((one, other) => (one.startedAt < other.startedAt ? 1 : -1));
}

/** True when `wanted`, as a person types it, means this id: the whole id or its beginning, with or without its prefix. */
export function isMeant(id: string, wanted: string): boolean {
  return wanted.length >= 4 && (id.startsWith(wanted) || id.startsWith(`ses_${wanted}`));
}

export function meantIn<Held extends { readonly id: string }>(
  terminals: readonly Held[],
  wanted: string,
): Held | undefined {
  const found = terminals.filter(({ id }) => isMeant(id, wanted));
  if (found.length <= 1) return found[0];
  throw new ReinsError("invalid_input", `${found.length} terminals begin with ${wanted}.`, {
    help: "Give more of the id.",
  });
}

/** Limit for all recordings together; the oldest are removed beyond it. */
const mostRecordedBytes = 256 * 1024 * 1024;

/** Called before a new recording begins. Keeps the recordings of `held` terminals. */
export function pruneRecordings(folder: string, held: readonly string[], mostBytes = mostRecordedBytes): void {
  const names = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith(".cast")) : [];
  const files = names.flatMap((name) => {
    const path = join(folder, name);
    // Another process may have removed the file meanwhile.
    const found = statSync(path, { throwIfNoEntry: false });
    return found === undefined
      ? []
      : [{ path, size: found.size, mtimeMs: found.mtimeMs, id: name.slice(0, -".cast".length) }];
  });
  let left = mostBytes;
  for (const { path, size, id } of files.toSorted((one, other) => other.mtimeMs - one.mtimeMs)) {
    left -= size;
    if (left < 0 && !held.includes(id)) rmSync(path, { force: true });
  }
}

function heldIn(path: string): HeldTerminal | undefined {
  const { id, agent, argv, cwd, startedAt, pid, socket } = record(parseJson(readText(path)));
  const words = [id, agent, cwd, startedAt, socket].map((value) => text(value));
  if (words.includes(undefined) || !Array.isArray(argv) || typeof pid !== "number") return undefined;
  const [its = "", name = "", folder = "", began = "", address = ""] = words;
  return { id: its, agent: name, argv: argv.map(String), cwd: folder, startedAt: began, pid, socket: address };
}

function readText(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}

/** Errors that say nothing about the holder: this machine or the holder is overloaded. */
const busy: ReadonlySet<string | undefined> = new Set(["EAGAIN", "EMFILE", "ENFILE", "ENOBUFS", "ENOMEM"]);

function answers(socket: string): Promise<boolean> {
  return new Promise((resolve) => {
    const connection = connect(socket);
    connection.once("connect", () => {
      connection.destroy();
      resolve(true);
    });
    // An error that says nothing about the holder, such as EMFILE in this process: keep its files, because its program may still run.
    connection.once("error", ({ code }: NodeJS.ErrnoException) => resolve(busy.has(code)));
  });
}
