/** A short text that changes when an item has to be redrawn. The terminal and the page compare it. */
import type { Item } from "./model.ts";

/** `isOpen` tells whether a nested item is unfolded, for a drawing that depends on it. */
export function itemStamp(item: Item, isOpen: (item: Item) => boolean = () => false): string {
  switch (item.kind) {
    case "message":
    case "thought":
      return `${item.text.length}${item.streaming ? "+" : ""}`;
    case "tool": {
      const { status, title, progress, files, items, input } = item;
      const inner = items.map((one) => `${isOpen(one)}${itemStamp(one, isOpen)}`).join();
      const shown = `${progress.length}${progress.slice(-8)}`;
      return `${status}|${title}|${shown}|${files.length}|${numberOf(input)}|${inner}`;
    }
    case "permission":
    case "question":
      return item.resolution?.outcome ?? "";
    case "task":
      return `${item.task.status}|${item.task.title}|${item.task.summary ?? ""}`;
    default:
      return "";
  }
}

const numbers = new WeakMap<object, number>();
let last = 0;

/** A replaced input is a new object, so it gets a new number. */
function numberOf(input: unknown): number {
  if (typeof input !== "object" || input === null) return 0;
  const known = numbers.get(input) ?? ++last;
  numbers.set(input, known);
  return known;
}
