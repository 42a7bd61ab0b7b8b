/** Executables that stand in for misbehaving agents. */
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { scriptBeside } from "../../src/process/launch/script-path.ts";
import { behaviours, type Behaviour } from "./behave.ts";
import { streamJsonReplies } from "./stream-json.ts";

export const standInKinds = [...behaviours, "not-executable"] as const;
export type StandInKind = (typeof standInKinds)[number];

export interface StandInOptions {
  /** The folder it is written to; default: a new temporary folder. */
  readonly folder?: string | undefined;
  readonly commands?: Behaviour["commands"] | undefined;
  /** The messages on its wire; default: stream-json. */
  readonly replies?: Behaviour["replies"] | undefined;
  readonly code?: number | undefined;
  readonly stderr?: string | undefined;
  readonly flood?: Partial<Behaviour["flood"]> | undefined;
}

export function standIn(kind: StandInKind, options: StandInOptions = {}): string {
  const path = join(options.folder ?? mkdtempSync(join(tmpdir(), "reins-stand-in-")), kind);
  const behaviour: Behaviour = {
    kind: kind === "not-executable" ? "good" : kind,
    commands: options.commands ?? {},
    replies: options.replies ?? streamJsonReplies,
    code: options.code ?? 0,
    stderr: options.stderr ?? "",
    flood: { count: 10_000, bytes: 1_000, message: { type: "flood", text: "$pad" }, ...options.flood },
    pidFile: `${path}.pids`,
  };
  const code = pathToFileURL(scriptBeside(import.meta.url, "behave")).href;
  const script = `import(${JSON.stringify(code)}).then(({ behave }) => behave(${JSON.stringify(behaviour)}));`;
  writeFileSync(path, `#!${process.execPath}\n${script}\n`, { mode: kind === "not-executable" ? 0o644 : 0o755 });
  return path;
}

/** The pids of the children that a stand-in left, available once it has started. */
export function leftPids(path: string): readonly number[] {
  return JSON.parse(readFileSync(`${path}.pids`, "utf8")) as number[];
}
