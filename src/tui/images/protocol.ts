/** How the terminal draws images, decided by its environment: asking it would hold up the first frame. */
import { multiplexer, type TerminalEnv } from "../screen/passthrough.ts";

export type ImageProtocol = "kitty" | "iterm2";

/** The first Konsole that draws images of kitty's protocol. */
const firstKonsole = 220_400;

const programs: Readonly<Record<string, ImageProtocol>> = {
  ...{ ghostty: "kitty", "iTerm.app": "iterm2" },
  // It knows both. Only with this one it draws JPEG and GIF too.
  WezTerm: "iterm2",
};

/** Undefined where images are not drawn: other terminals, and inside a multiplexer, which does not move them with its text. */
export function imageProtocol(env: TerminalEnv): ImageProtocol | undefined {
  if (multiplexer(env) !== undefined || env["ZELLIJ"] || env["TERM"]?.startsWith("tmux")) return undefined;
  if (env["TERM"] === "xterm-kitty" || env["TERM"] === "xterm-ghostty") return "kitty";
  const program = env["TERM_PROGRAM"];
  // What other variables say may be of the terminal that this one was started from.
  if (program) return Object.hasOwn(programs, program) ? programs[program] : undefined;
  if (env["KITTY_WINDOW_ID"] || Number(env["KONSOLE_VERSION"]) >= firstKonsole) return "kitty";
  return env["LC_TERMINAL"] === "iTerm2" ? "iterm2" : undefined;
}
