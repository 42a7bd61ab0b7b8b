import type { Program } from "../shared/program.ts";
import { cursorVersionIn } from "./version.ts";

/** `agent` is its first name and `cursor-agent` its older one, which other programs do not have: binary.ts says which is taken. */
export const program: Program = {
  id: "cursor",
  name: "Cursor",
  command: "cursor-agent",
  installHelp: "Install it with `curl https://cursor.com/install -fsS | bash`.",
  updateHelp: "Update it with `reins update cursor`.",
  versionIn: cursorVersionIn,
};

/** Not `agent login`: on this machine that may be another program. */
export const signInHelp = "Run `reins login cursor`, or set CURSOR_API_KEY.";
