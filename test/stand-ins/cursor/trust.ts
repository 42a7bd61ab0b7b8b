/** A folder is trusted permanently or for one run. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Arguments } from "./arguments.ts";
import { writeJson } from "./files.ts";
import { Ending } from "./output.ts";
import { projectFolder } from "./places.ts";

const note = (cwd: string): string => join(projectFolder(cwd), ".workspace-trusted");

export function isTrusted(cwd: string, given: Arguments): boolean {
  if (given.is.has("trust")) writeJson(note(cwd), { workspacePath: cwd, trustedAt: new Date().toISOString() });
  return given.is.has("force") || existsSync(note(cwd));
}

export function requireTrust(cwd: string, given: Arguments): void {
  if (isTrusted(cwd, given)) return;
  const said = [
    "",
    "⚠ Workspace Trust Required",
    "",
    "  Cursor Agent can execute code and access files in this directory.",
    "  Do you trust the contents of this directory?",
    "",
    `    ${cwd}`,
    "",
    "  To proceed, you can either:",
    "    • Run 'agent' interactively to decide",
    "    • Pass --trust, --yolo, or -f if you trust this directory",
  ];
  throw new Ending(1, said.join("\n"));
}
