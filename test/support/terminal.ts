/** The `reins` command in a real pseudo terminal. */
import { bin, type Place } from "./command.ts";
import { openPty, type Pty, type PtyOptions } from "./pty.ts";

export function openTerminal(place: Place, args: readonly string[], options: PtyOptions = {}): Pty {
  const env = { ...place.env, ...options.env };
  return openPty([process.execPath, bin, ...args], { cwd: place.cwd, ...options, env });
}
