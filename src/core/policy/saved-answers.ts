/**
 * Rules from the user's "always" answers, for one workspace. They are stored in the user's own folder and not in the
 * workspace: files there came with a clone, and agents write there. Each answer is a line appended to the file, so
 * that concurrent answers are not lost.
 */
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { sha256 } from "../../process/crypto.ts";
import { isRule } from "./load-rules.ts";
import type { Rule } from "./rule.ts";

export interface KeptAnswer {
  readonly rule: Rule;
  /** True when the folder was replaced by another one of the same name: the answer is not used. */
  readonly stale: boolean;
  readonly line: string;
}

export class SavedAnswers {
  readonly #folder: string;
  readonly #workspace: string;

  /** `folder` is the user's own; `workspace` is a real path. */
  constructor(folder: string, workspace: string) {
    this.#folder = join(folder, "policy");
    this.#workspace = workspace;
  }

  get path(): string {
    return join(this.#folder, `${sha256(this.#workspace).slice(0, 32)}.jsonl`);
  }

  read(): { readonly kept: readonly KeptAnswer[]; readonly unreadable: number } {
    let unreadable = 0;
    const now = markOf(this.#workspace);
    const kept = this.#lines().flatMap((line): KeptAnswer[] => {
      const found = parse(line);
      if (found === undefined || found.workspace !== this.#workspace || !isRule(found.rule)) {
        unreadable++;
        return [];
      }
      return [{ rule: found.rule, stale: !isSame(found.folder, now), line }];
    });
    return { kept, unreadable };
  }

  keep(rule: Rule): void {
    mkdirSync(dirname(this.path), { recursive: true, mode: 0o700 });
    const workspace = this.#workspace;
    const line = JSON.stringify({ rule, workspace, folder: markOf(workspace), time: new Date().toISOString() });
    appendFileSync(this.path, `${line}\n`, { mode: 0o600 });
    // An existing file keeps its mode on append, so set it.
    chmodSync(this.path, 0o600);
  }

  remove({ line }: KeptAnswer): void {
    const lines = this.#lines();
    const place = lines.indexOf(line);
    if (place >= 0) lines.splice(place, 1);
    if (lines.length === 0) return rmSync(this.path, { force: true });
    const beside = `${this.path}.${process.pid}`;
    writeFileSync(beside, lines.map((one) => `${one}\n`).join(""), { mode: 0o600 });
    renameSync(beside, this.path);
  }

  #lines(): string[] {
    if (!existsSync(this.#folder)) return [];
    try {
      return readFileSync(this.path, "utf8")
        .split("\n")
        .filter((line) => line !== "");
    } catch {
      return [];
    }
  }
}

interface Line {
  readonly rule?: unknown;
  readonly workspace?: unknown;
  readonly folder?: unknown;
}

function parse(line: string): Line | undefined {
  try {
    const found: unknown = JSON.parse(line);
    return typeof found === "object" && found !== null ? found : undefined;
  } catch {
    return undefined;
  }
}

/** Identifies a folder, so that another clone under the same name is recognised: inode and, when known, creation time. */
interface Mark {
  readonly ino: number;
  readonly made?: number | undefined;
}

function markOf(folder: string): Mark | undefined {
  try {
    const { ino, birthtimeMs } = statSync(folder);
    // The birth time is 0 when unknown. Very old systems report the last change instead: then an answer may be lost,
    // but never applied wrongly.
    return birthtimeMs > 0 ? { ino, made: birthtimeMs } : { ino };
  } catch {
    return undefined;
  }
}

function isSame(kept: unknown, now: Mark | undefined): boolean {
  if (typeof kept !== "object" || kept === null || now === undefined) return false;
  const { ino, made } = kept as Partial<Mark>;
  return ino === now.ino && made === now.made;
}
