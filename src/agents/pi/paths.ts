/** Where pi's tools look for a path: it takes off an `@`, knows `~` and `file:`, and has its own idea of spaces. */
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const unusualSpaces = /[\u00A0\u2000-\u200A\u202F\u205F\u3000]/g;

export interface Places {
  readonly cwd: string;
  /** pi's own, which may be another than ours. */
  readonly home: string;
}

/** Read otherwise than pi does, `~/x` would seem to lie in the workspace. */
export function placeOf(path: string, { cwd, home }: Places): string {
  const plain = path.replaceAll(unusualSpaces, " ").replace(/^@/, "");
  if (plain === "~") return home;
  if (plain.startsWith("~/")) return join(home, plain.slice(2));
  if (plain.startsWith("file://")) return fromUrl(plain) ?? path;
  return resolve(cwd, plain);
}

function fromUrl(url: string): string | undefined {
  try {
    return fileURLToPath(url);
  } catch {
    return undefined;
  }
}
