/** An executable that stands in for Cursor's program, with selected traps. */
import { chmodSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { scriptBeside } from "../../../src/process/launch/script-path.ts";

export interface CursorStandInOptions {
  /** The folder it is written to; default: a new temporary folder. */
  readonly folder?: string | undefined;
  /** Default: `agent`. */
  readonly name?: string | undefined;
  /** Variables `STAND_IN_<name>`. They are written into the executable, because Reins passes them to no agent. */
  readonly traps?: Readonly<Record<string, string | number | boolean>> | undefined;
}

/** Writes the executable and returns its path. Like the real one it is a shell script that starts Node. */
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
