/**
 * Restores the terminal after a kill -9 of the interface. A shell waits on a pipe that the kernel closes with this process. A shell
 * instead of Node: it starts in 2 ms and takes 1 MB; Node takes 40 ms of CPU and 45 MB.
 */
import { spawn } from "node:child_process";
import { restoreInlineSequence, restoreSequence } from "./modes.ts";
import type { ScreenKind, ScreenWatcher } from "./screen.ts";

/**
 * Lines on stdin name the screen that is on; `$1` and `$2` restore it. A shell with a line editor repairs the terminal itself and then
 * sets modes of its own, with signals on (`isig`), which must be left alone: so this waits a moment and checks first. In `$(...)` descriptor 1 is a pipe, so the terminal is 3. The modes are the
 * reverse of libuv's raw mode; `stty sane` would also reset the person's own characters.
 */
const script = `
while read -r line; do screen=$line; done
case $screen in
  full) printf %s "$1" ;;
  inline) printf %s "$2" ;;
  *) exit ;;
esac
sleep 0.05
exec 3>&1
case $(stty -a <&3) in
  *-isig*) stty brkint icrnl ixon opost isig icanon iexten echo <&3 ;;
esac
`;

export interface TerminalWatcher extends ScreenWatcher {
  /** Ends the watcher's process; the terminal stays as it is. */
  stop(): void;
}

/**
 * Start it before raw mode is entered; when this returns, the process waits. It has a session of its own: signals of the terminal and of its groups do not reach it, and it
 * may write to the terminal and change its modes even when another process is in the foreground.
 */
export function startWatcher(): TerminalWatcher {
  const child = spawn("/bin/sh", ["-c", script, "reins-terminal", restoreSequence, restoreInlineSequence], {
    stdio: ["pipe", "inherit", "ignore"],
    detached: true,
    cwd: "/",
  });
  // The interface works without the watcher too: there may be no shell, or somebody ended it.
  child.on("error", () => {});
  child.stdin.on("error", () => {});
  child.unref();
  (child.stdin as { unref?: () => void }).unref?.();
  return {
    use: (kind: ScreenKind | "off") => {
      if (child.stdin.writable) child.stdin.write(`${kind}\n`);
    },
    stop: () => {
      if (child.stdin.writable) child.stdin.end("off\n");
    },
  };
}
