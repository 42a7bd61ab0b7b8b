import { expect } from "vitest";
import type { XtermPort } from "./xterm-port.ts";

/** Sequences that draw nothing: modes, titles, clipboard, notifications, terminal queries. */
const silent =
  /\x1b\[[?><=][\d;]*[a-zA-Z]|\x1b\[\d*;?\d*t|\x1b\[c|\x1b\[6n|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\x1bP(?:\x1b\x1b|[^\x1b])*\x1b\\|\x07/g;
const frame = /\x1b\[\?2026h[^]*?\x1b\[\?2026l/g;
/** The images that the interface draws itself (`src/tui/images`). */
const images =
  /\x1b_G(?:a=T,f=100,t=d,c=\d+,r=\d+,C=1,)?q=2,m=[01];[\w+/=]{1,4096}\x1b\\|\x1b\]1337;File=inline=1;size=\d+;width=\d+;height=\d+;preserveAspectRatio=1:[\w+/=]+\x07/g;
/** A write that gives the terminal back starts with this sequence and may erase its rows. */
const leaving = "\x1b[?2026l";

/**
 * The byte law for everything an interface writes: the scrollback is never erased, the screen only on entering the full screen and on a
 * resize, and all drawing happens in a synchronized frame. Images are drawn only in the interface's own way.
 */
export function expectByteLaw({ log, resizes }: XtermPort): void {
  const all = log.join("");
  expect(all).not.toContain("\x1b[3J");
  expect(all.replace(images, "")).not.toMatch(/\x1b_|\x9f|\x1b\]1337/);
  const entered = all.split("\x1b[?1049h").length - 1;
  expect(all.split("\x1b[2J").length - 1).toBeLessThanOrEqual(entered + resizes);
  for (const written of log)
    if (!written.startsWith(leaving)) expect(written.replace(frame, "").replace(silent, "")).toBe("");
}
