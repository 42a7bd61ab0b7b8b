/** What an item is now, in a few words: its lines are the same as long as its stamp is. */
import type { Item } from "../../view/model.ts";

/** `isOpen` tells it of the items within a tool call. */
export function stampOf(item: Item, isOpen: (item: Item) => boolean): string {
  switch (item.kind) {
    case "message":
    case "thought":
      return `${item.text.length}${item.streaming ? "+" : ""}`;
    case "tool": {
      const { status, title, progress, files, items, input } = item;
      const inner = items.map((one) => `${isOpen(one)}${stampOf(one, isOpen)}`).join();
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

/** An input that is replaced is another object. */
function numberOf(input: unknown): number {
  if (typeof input !== "object" || input === null) return 0;
  const known = numbers.get(input) ?? ++last;
  numbers.set(input, known);
  return known;
}
