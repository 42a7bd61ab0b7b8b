/** A conversation as the rows of a list that is drawn only where somebody looks. */
import type { ReinsEvent } from "../../events/types.ts";
import { itemStamp } from "../../view/item-stamp.ts";
import type { Conversation, Item, TurnEntry } from "../../view/model.ts";
import type { ShownBox } from "../slash/boxes.ts";

export type Row =
  | { readonly kind: "prompt"; readonly key: string; readonly turn: TurnEntry }
  | { readonly kind: "item"; readonly key: string; readonly item: Item }
  | { readonly kind: "end"; readonly key: string; readonly turn: TurnEntry }
  /** The answer to a slash command. */
  | { readonly kind: "box"; readonly key: string; readonly shown: ShownBox };

interface Known {
  readonly length: number;
  readonly last: Item | undefined;
  readonly shown: number;
  readonly rows: readonly Row[];
}

/** Keeps the rows of turns in which nothing came or went. */
export class Rows {
  #known = new WeakMap<TurnEntry, Known>();

  /** `boxes`, in the order in which they were shown, stand between the entries. */
  of({ entries }: Conversation, boxes: readonly ShownBox[] = []): readonly Row[] {
    const rows: Row[] = [];
    let next = 0;
    const addBoxes = (before: number): void => {
      for (let shown = boxes[next]; shown !== undefined && shown.after <= before; shown = boxes[++next])
        rows.push({ kind: "box", key: `box:${shown.id}`, shown });
    };
    for (const [index, entry] of entries.entries()) {
      addBoxes(index);
      if (entry.kind === "turn") for (const row of this.#turn(entry)) rows.push(row);
      else if (isShown(entry)) rows.push({ kind: "item", key: keyOf(entry, `between:${index}`), item: entry });
    }
    addBoxes(Number.POSITIVE_INFINITY);
    return rows;
  }

  #turn(turn: TurnEntry): readonly Row[] {
    const { items } = turn;
    const [length, last] = [items.length, items.at(-1)];
    const known = this.#known.get(turn);
    // Only the last item may be empty at first: a message before its first word.
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

/** An empty item has no row, nor what the request itself tells while it waits: whether it has a deadline now. */
export function isShown(item: Item): boolean {
  if (item.kind === "notice") return item.code !== "deadline";
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

/** -1 where there is none. What a subagent said is within the row of its call; what has no row of its own is looked for where its turn begins. */
export function rowOf(rows: readonly Row[], event: ReinsEvent): number {
  const ending = rows.findIndex((row) => row.kind === "end" && row.turn.id === event.turnId);
  const beginning = rows.slice(0, Math.max(0, ending)).findLastIndex(({ kind }) => kind === "end") + 1;
  if (event.type === "turn.started") return ending === -1 ? -1 : beginning;
  const shows = (row: Row): boolean => row.kind === "item" && holds(row.item, (item) => isOf(item, event));
  const within = rows.findIndex((row, index) => index >= beginning && index <= ending && shows(row));
  if (within !== -1) return within;
  // Background work ends in another turn than it began in.
  const anywhere = rows.findIndex(shows);
  return anywhere === -1 && ending !== -1 ? beginning : anywhere;
}

function holds(item: Item, is: (item: Item) => boolean): boolean {
  return is(item) || (item.kind === "tool" && item.items.some((inner) => holds(inner, is)));
}

function isOf(item: Item, event: ReinsEvent): boolean {
  switch (event.type) {
    case "message.completed":
    case "thought.completed":
      // An agent may give the same id again.
      return (
        `${item.kind}.completed` === event.type &&
        "id" in item &&
        item.id === event.messageId &&
        item.text === event.text
      );
    case "input.added":
      return item.kind === "input" && item.text === event.text;
    case "file.changed":
      if (event.callId === undefined) return item.kind === "file" && item.path === event.path;
      return item.kind === "tool" && item.callId === event.callId;
    case "tool.started":
    case "tool.completed":
    case "tool.failed":
      return item.kind === "tool" && item.callId === event.callId;
    default:
      return false;
  }
}

export function stampOf(row: Row): string {
  return row.kind === "item" ? itemStamp(row.item) : row.kind === "end" ? turnStamp(row.turn) : "";
}

function turnStamp({ end, phase, usage }: TurnEntry): string {
  return end === undefined ? `${phase ?? ""}|${usage?.tokens?.output ?? ""}|${usage?.costUsd ?? ""}` : end.outcome;
}
