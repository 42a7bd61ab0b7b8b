/** Folders and files that a client names must lie in the roots, links followed. */
import { isAbsolute } from "node:path";
import { isInside } from "../../core/inside.ts";
import { HttpError } from "../http-error.ts";
import type { Principal } from "./principal.ts";

export function mayWorkIn({ roots, originOf }: Principal, folder: string): boolean {
  return roots === undefined || isInside(originOf(folder), roots, "/");
}

export function requireInside(principal: Principal, path: string, what: string): void {
  if (!isAbsolute(path))
    throw new HttpError(400, "invalid_input", `The ${what} ${path} is not absolute.`, {
      help: "Write its whole path, without `~`.",
    });
  if (path.includes("\0")) throw new HttpError(400, "invalid_input", `The ${what} is no path.`);
  // Behind a link `..` is another folder for the system than it is for who only reads the path.
  const isPlain = principal.roots === undefined || !path.split("/").includes("..");
  if (isPlain && mayWorkIn(principal, path)) return;
  throw new HttpError(
    403,
    "permission_denied",
    `The ${what} ${path} is outside the folders that this server works in.`,
    {
      help: "Start it with `--root <folder>`, or name another.",
    },
  );
}
