/** Decides what the inline screen prints: every line that can no longer change, exactly once and in order. */
import type { TerminalImage } from "../images/terminal-image.ts";
import type { Line } from "../line.ts";
import { plain, rowsOf } from "../wrap.ts";
import type { App } from "./app.ts";
import { lookOf, type Size } from "./draw.ts";

/** When a long session is first shown, only its last blocks are printed. */
const firstBlocks = 40;

export interface Printed {
  readonly print: readonly (string | TerminalImage)[];
  /** Lines that may still change. */
  readonly tail: readonly Line[];
}

export function takePrinted(app: App, size: Size): Printed {
  const view = app.sessions.active;
  const blocks = view.blocks(lookOf(app, size));
  const { printed } = view;
  const print: (string | TerminalImage)[] = [];
  const takeImages = app.images.taker(size);
  const asText = (line: Line): readonly string[] => printable(line, size.columns, app.settings.wrap);
  const printMessages = (before?: number): void => {
    for (const { lines } of view.takeUnprinted(before)) for (const line of lines) print.push(...asText(line));
  };
  if (app.lastPrinted !== view) {
    if (app.lastPrinted !== undefined) print.push(app.theme.dim(`── ${view.name} ──`));
    app.lastPrinted = view;
    if (printed.blocks === 0 && blocks.length > firstBlocks) {
      printed.blocks = blocks.length - firstBlocks;
      view.takeUnprinted(blocks[printed.blocks]!.entry - 1);
      print.push(app.theme.dim(`… ${printed.blocks} earlier entries; /full shows them`));
    }
  }
  for (; printed.blocks < blocks.length; printed.blocks++) {
    const block = blocks[printed.blocks]!;
    if (printed.lines === 0) printMessages(block.entry);
    const upTo = block.settled ? block.lines.length : block.settledLines;
    for (; printed.lines < upTo; printed.lines++) {
      const line = block.lines[printed.lines]!;
      if (!app.images.areReady(line)) break;
      print.push(...asText(line), ...takeImages(line));
    }
    if (!block.settled || printed.lines < upTo) break;
    printed.lines = 0;
  }
  // A message does not wait for the end of the turn in which it came.
  printMessages();
  const [current, ...rest] = blocks.slice(printed.blocks);
  const tail = [...(current?.lines.slice(printed.lines) ?? []), ...rest.flatMap(({ lines }) => lines)];
  return { print, tail };
}

/** Lines are printed unwrapped: the terminal wraps them, and copied text has no added newlines. Tables are laid out for this width. */
function printable(line: Line, width: number, wrap: "word" | "soft"): readonly string[] {
  if (line.wrap === "cut" || line.laid !== undefined || (wrap === "word" && line.wrap !== "soft"))
    return rowsOf(line, width).map(({ text }) => text);
  const text = `${line.prefix ?? ""}${line.text}`;
  return [plain(text).trim() === "" ? "" : text];
}
