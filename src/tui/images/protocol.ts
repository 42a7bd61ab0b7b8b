/** The image protocol of the terminal, chosen by its environment: asking the terminal would delay the first frame. */
import { multiplexer, type TerminalEnv } from "../screen/passthrough.ts";

export type ImageProtocol = "kitty" | "iterm2";

/** The first Konsole version that draws images of kitty's protocol. */
const firstKonsole = 220_400;

const programs: Readonly<Record<string, ImageProtocol>> = {
  ...{ ghostty: "kitty", "iTerm.app": "iterm2" },
  // WezTerm supports both; only with iTerm2's protocol it draws JPEG and GIF too.
  WezTerm: "iterm2",
};

/** Undefined when images are not drawn: in other terminals, and inside a multiplexer, which does not move them with its text. */
export function imageProtocol(env: TerminalEnv): ImageProtocol | undefined {
  if (multiplexer(env) !== undefined || env["ZELLIJ"] || env["TERM"]?.startsWith("tmux")) return undefined;
  if (env["TERM"] === "xterm-kitty" || env["TERM"] === "xterm-ghostty") return "kitty";
  const program = env["TERM_PROGRAM"];
  // Other variables may come from the terminal that this one was started from.
  if (program) return Object.hasOwn(programs, program) ? programs[program] : undefined;
  if (env["KITTY_WINDOW_ID"] || Number(env["KONSOLE_VERSION"]) >= firstKonsole) return "kitty";
  return env["LC_TERMINAL"] === "iTerm2" ? "iterm2" : undefined;
}
