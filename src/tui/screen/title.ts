import { oneLine } from "../../events/printable.ts";

/** Terminals cut long titles; some store them without a limit. */
const titleLimit = 200;

/** Sets the title of the window or tab (OSC 2). */
export function titleSequence(title: string): string {
  return `\x1b]2;${oneLine(title).slice(0, titleLimit).toWellFormed()}\x1b\\`;
}
