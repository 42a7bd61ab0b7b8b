/** Where a path leads: as it is written, and with its links followed. */
import { dirname, join } from "node:path";
import { realPath } from "../inside.ts";
import { absolute, askedParts } from "./places.ts";
import type { Places } from "./places.ts";
import type { Part, Subject } from "./subject.ts";

interface About {
  readonly tool: Subject["tool"];
  readonly mention: boolean;
  /** The folder that a relative path starts from. */
  readonly from: string;
}

/** The folder of whoever asks: of the agent, not ours. */
const ownFolder = /^\/(?:\.?\/)*proc\/(?:\.?\/)*(?:thread-)?self\/(?:\.?\/)*cwd(?=\/|$)/;

export function pathParts(given: string, places: Places, { tool, mention, from }: About): readonly Part[] {
  const path = given.replace(ownFolder, () => from);
  const written = absolute(path, from, places.home);
  const stars = tool === "shell" && /[*?[]/.test(path);
  const reals = stars ? [written] : new Set([realPath(written), throughLinks(path, from, places.home)]);
  return Array.from(reals, (real) => ({
    kind: "path",
    tool,
    real: askedParts(real, places, stars),
    written: askedParts(written, places, stars),
    mention,
    what: given,
  }));
}

/** To the system `link/..` is the folder above the one that the link leads to; to many programs it is just the folder of the link. */
function throughLinks(path: string, from: string, home: string | undefined): string {
  if (!/\/\.\.(?:\/|$)/.test(path)) return realPath(absolute(path, from, home));
  let at = path.startsWith("/") ? "/" : path.startsWith("~/") ? absolute("~", from, home) : from;
  for (const part of path.replace(/^~\//, "").split("/")) {
    if (part === "" || part === ".") continue;
    at = part === ".." ? dirname(realPath(at)) : join(at, part);
  }
  return realPath(at);
}
