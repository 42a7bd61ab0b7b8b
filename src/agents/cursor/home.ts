/** Where Cursor keeps its own things. */
import { homedir } from "node:os";
import { join } from "node:path";

type Environment = Readonly<Record<string, string | undefined>>;

export function cursorFolder(env: Environment): string {
  if (env["CURSOR_CONFIG_DIR"]) return env["CURSOR_CONFIG_DIR"];
  const own = env["XDG_CONFIG_HOME"];
  return own ? join(own, "cursor") : join(env["HOME"] || homedir(), ".cursor");
}
