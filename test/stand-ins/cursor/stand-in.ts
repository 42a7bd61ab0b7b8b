/** An executable that stands in for Cursor's program, with the traps it is to fall into. */
import { chmodSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { scriptBeside } from "../../../src/process/launch/script-path.ts";

export interface CursorStandInOptions {
  /** Where it is written; default: a new temporary folder. */
  readonly folder?: string | undefined;
  /** Default: `agent`. */
  readonly name?: string | undefined;
  /** Variables `STAND_IN_<name>`, which Reins hands to no agent: they are in the executable itself. */
  readonly traps?: Readonly<Record<string, string | number | boolean>> | undefined;
}

/** Writes it and gives its path. Like the real one it is a script of a shell that starts Node. */
export function cursorStandIn({ folder, name = "agent", traps = {} }: CursorStandInOptions = {}): string {
  const path = join(folder ?? mkdtempSync(join(tmpdir(), "reins-stand-in-")), name);
  const set = Object.entries(traps).filter(([, value]) => value !== false);
  const variables = set.map(
    ([trap, value]) => `export STAND_IN_${trap}=${quoted(value === true ? "1" : String(value))}`,
  );
  const main = scriptBeside(import.meta.url, "cursor-stand-in");
  const start = `exec ${quoted(process.execPath)} --disable-warning=ExperimentalWarning ${quoted(main)} "$@"`;
  writeFileSync(path, ["#!/bin/sh", ...variables, start, ""].join("\n"));
  chmodSync(path, 0o755);
  return path;
}

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
