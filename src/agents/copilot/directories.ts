/** Further folders. Over ACP its own argument for them counts for nothing, so it asks to look there, and is told yes. */
import { realpathSync } from "node:fs";
import { isAbsolute, relative, sep } from "node:path";
import type { AcpTool } from "../../drivers/acp/index.ts";

export function mayLook({ tool, input }: AcpTool, directories: readonly string[]): boolean {
  const looks = tool === "read" || tool === "grep" || tool === "glob";
  if (!looks || input.path === undefined || !isAbsolute(input.path)) return false;
  const place = real(input.path);
  return place !== undefined && directories.some((directory) => isInside(place, real(directory)));
}

/** Where links lead. */
function real(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}

function isInside(path: string, directory: string | undefined): boolean {
  if (directory === undefined) return false;
  const from = relative(directory, path);
  return from !== ".." && !from.startsWith(`..${sep}`) && !isAbsolute(from);
}
