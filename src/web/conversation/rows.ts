/** A conversation as the rows of a list that is drawn only where somebody looks. */
import type { Conversation, Item, TurnEntry } from "../../view/model.ts";

export type Row =
  | { readonly kind: "prompt"; readonly key: string; readonly turn: TurnEntry }
  | { readonly kind: "item"; readonly key: string; readonly item: Item }
  /** How it ended, or that it is still at work. */
  | { readonly kind: "end"; readonly key: string; readonly turn: TurnEntry };

interface Known {
  readonly length: number;
  readonly last: Item | undefined;
  readonly shown: number;
  readonly rows: readonly Row[];
}

/** Keeps the rows of turns in which nothing came or went. */
export class Rows {
  #known = new WeakMap<TurnEntry, Known>();

  of({ entries }: Conversation): readonly Row[] {
    const rows: Row[] = [];
    for (const [index, entry] of entries.entries()) {
      if (entry.kind === "turn") for (const row of this.#turn(entry)) rows.push(row);
      else if (isShown(entry)) rows.push({ kind: "item", key: keyOf(entry, `between:${index}`), item: entry });
    }
    return rows;
  }

  #turn(turn: TurnEntry): readonly Row[] {
    const { items } = turn;
    const [length, last] = [items.length, items.at(-1)];
    const known = this.#known.get(turn);
    // What is empty at first (a message before its first word) is at the end.
    const shown = last !== undefined && isShown(last) ? 1 : 0;
    if (known !== undefined && known.length === length && known.last === last && known.shown === shown)
      return known.rows;
    const rows: Row[] = [];
    if (turn.input !== undefined) rows.push({ kind: "prompt", key: `${turn.id}:prompt`, turn });
    for (const [index, item] of items.entries())
      if (isShown(item)) rows.push({ kind: "item", key: keyOf(item, `${turn.id}:${index}`), item });
    rows.push({ kind: "end", key: `${turn.id}:end`, turn });
    this.#known.set(turn, { length, last, shown, rows });
    return rows;
  }
}

/** What has nothing to show has no row. */
export function isShown(item: Item): boolean {
  if (item.kind === "message") return item.text.trim() !== "" || (item.content?.length ?? 0) > 0;
  if (item.kind === "thought") return item.text.trim() !== "";
  return true;
}

/** The same for the same thing, wherever it stands: what was opened stays open. */
export function keyOf(item: Item, otherwise: string): string {
  switch (item.kind) {
    case "message":
    case "thought":
      return `${item.kind}:${item.id}:${otherwise}`;
    case "tool":
      return `tool:${item.callId}`;
    case "permission":
    case "question":
      return `${item.kind}:${item.requestId}`;
    case "task":
      return `task:${item.task.taskId}`;
    default:
      return otherwise;
  }
}
