/** A short word for the state of a row: where it is the same, nothing has to be drawn again. The items themselves grow in place. */
import type { Item, TurnEntry } from "../../view/model.ts";
import type { Row } from "./rows.ts";

export function stampOf(row: Row): string {
  return row.kind === "item" ? itemStamp(row.item) : row.kind === "end" ? turnStamp(row.turn) : "";
}

export function itemStamp(item: Item): string {
  switch (item.kind) {
    case "message":
    case "thought":
      return `${item.text.length}${item.streaming ? "+" : ""}`;
    case "tool": {
      const { status, title, progress, files, items, input } = item;
      const inner = items.map(itemStamp).join();
      return `${status}|${title}|${progress.length}|${files.length}|${numberOf(input)}|${inner}`;
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

function turnStamp({ end, phase, usage }: TurnEntry): string {
  return end === undefined ? `${phase ?? ""}|${usage?.tokens?.output ?? ""}|${usage?.costUsd ?? ""}` : end.outcome;
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
