/** What the rooms above see of a running process. */
import type { Limits } from "../events/limits.ts";
import type { Redactor } from "../events/redact.ts";
import { readLines } from "./lines.ts";
import type { Running } from "./running.ts";
import type { Child } from "./types.ts";

export function createChild(running: Running, limits: Limits, redact: Redactor): Child {
  const { stdin, pid } = running.process;
  return {
    pid,
    lines: readLines(running.stdout, limits.lineBytes),
    exited: running.exited,
    write(text) {
      if (!stdin?.writable) return Promise.resolve();
      return new Promise((resolve) => stdin.write(text, () => resolve()));
    },
    closeStdin() {
      stdin?.end();
    },
    stderrTail: () => running.stderr.text(redact),
    stop: ({ politely = true } = {}) => running.stop(politely),
  };
}
