/** Desktop notifications through the terminal. */
import { oneLine } from "../../events/printable.ts";
import { multiplexer, passThrough, type TerminalEnv } from "./passthrough.ts";

/** `auto` chooses by the environment. */
export type NotificationKind = "auto" | "osc9" | "osc777" | "osc99" | "bell" | "off";

const textLimit = 300;

export function notification(kind: NotificationKind, title: string, body: string, env: TerminalEnv): string {
  const safe = (text: string): string => oneLine(text).slice(0, textLimit).toWellFormed();
  const [head, text] = [safe(title), safe(body)];
  const both = text === "" ? head : `${head}: ${text}`;
  switch (kind === "auto" ? notificationKind(env) : kind) {
    case "osc9":
      // Some terminals read "9;4;..." as a progress bar.
      return passThrough(`\x1b]9;${/^\d+;/.test(both) ? ` ${both}` : both}\x07`, env);
    case "osc777":
      return passThrough(`\x1b]777;notify;${head.replaceAll(";", ",")};${text}\x07`, env);
    case "osc99":
      return passThrough(`\x1b]99;i=reins:d=0;${head}\x1b\\\x1b]99;i=reins:p=body;${text}\x1b\\`, env);
    case "bell":
      // Not wrapped: tmux marks the window by it and rings itself.
      return "\x07";
    default:
      return "";
  }
}

function notificationKind(env: TerminalEnv): NotificationKind {
  const program = env["TERM_PROGRAM"] ?? "";
  const term = env["TERM"] ?? "";
  if (env["KITTY_WINDOW_ID"] || term === "xterm-kitty") return "osc99";
  if (/^(?:iTerm\.app|WezTerm|ghostty|WarpTerminal)$/.test(program) || env["LC_TERMINAL"] === "iTerm2") return "osc9";
  if (env["GHOSTTY_RESOURCES_DIR"] || env["WEZTERM_PANE"] || env["ITERM_SESSION_ID"]) return "osc9";
  if (env["WT_SESSION"] || env["ConEmuANSI"] === "ON") return "osc9";
  if (term.startsWith("foot") || term.startsWith("rxvt") || term === "contour") return "osc777";
  // VTE is GNOME Terminal and its relatives. The builds of Fedora and Debian support 777; others silently ignore it.
  if (env["VTE_VERSION"] && multiplexer(env) === undefined) return "osc777";
  return "bell";
}
