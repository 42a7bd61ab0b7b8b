/**
 * A fingerprint of everything in a process that may affect the agents it starts: environment, user, umask and the user's configuration. A
 * command whose fingerprint differs from the server's does its work itself, because the server would use other keys, programs or settings.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { userFolder, type Environment } from "../core/config/config-files.ts";
import { sipHash } from "./sip-hash.ts";

/** Variables that differ between terminals and shells, and that no agent reads. */
const ignored = new Set(
  [
    "_ PWD OLDPWD SHLVL PS1 PROMPT_COMMAND COLUMNS LINES MAIL HOSTNAME INIT_CWD NODE",
    "TERM COLORTERM NO_COLOR FORCE_COLOR LS_COLORS PAGER WINDOWID DISPLAY WAYLAND_DISPLAY",
    "TMUX TMUX_PANE STY WINDOW GPG_TTY INVOCATION_ID JOURNAL_STREAM SESSION_MANAGER",
    "NODE_COMPILE_CACHE REINS_NO_SERVER REINS_AGAIN",
    // SSH_AUTH_SOCK is not ignored, because it gives access to keys.
    "SSH_CLIENT SSH_CONNECTION SSH_TTY SSH_AGENT_PID",
    // npm sets these for its scripts.
    "COLOR EDITOR",
  ].flatMap((line) => line.split(" ")),
);
const ignoredPrefixes = [
  "npm_ TERM_ VTE_ ITERM_ KITTY_ WEZTERM_ ALACRITTY_ KONSOLE_ GNOME_TERMINAL_ WT_",
  "DBUS_ SYSTEMD_ XDG_SESSION_ XDG_SEAT XDG_VTNR VSCODE_ LESS HIST",
].flatMap((line) => line.split(" "));

/** `secret`: a token, so that nobody can find the values by trying. */
export function environmentFingerprint(env: Environment, secret: string): string {
  const words = Object.keys(env)
    .toSorted()
    .flatMap((name) => {
      const value = env[name];
      const passes = ignored.has(name) || ignoredPrefixes.some((prefix) => name.startsWith(prefix));
      return value === undefined || passes ? [] : [`${name}=${name === "PATH" ? programs(value) : value}`];
    });
  words.push(`${process.getuid?.()} ${process.getgid?.()} ${process.umask()}`, configuration(env));
  const key = Buffer.concat([Buffer.from(secret, "base64url"), Buffer.alloc(16)]);
  return sipHash(key, Buffer.from(words.join("\0")));
}

/** `npm start` and `npx` put folders of a project in front. */
function programs(path: string): string {
  return path
    .split(":")
    .filter((folder) => !/[/\\](node_modules[/\\]\.bin|node-gyp-bin)$/.test(folder))
    .join(":");
}

/** Included because a Reins reads the configured agents only once. */
function configuration(env: Environment): string {
  try {
    return readFileSync(join(userFolder(env), "config.json"), "utf8");
  } catch {
    return "";
  }
}
