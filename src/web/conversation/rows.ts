/** Converts a conversation to rows of a virtual list. */
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

/** Caches the rows of turns whose items did not change. */
export class Rows {
  #known = new WeakMap<TurnEntry, Known>();

  /** `boxes` are in display order and are placed between the entries. */
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
    // Only the last item may still be empty: a message before its first word.
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

/** Hides empty items and deadline notices: the pending request shows its deadline itself. */
export function isShown(item: Item): boolean {
  if (item.kind === "notice") return item.code !== "deadline";
  if (item.kind === "message") return item.text.trim() !== "" || (item.content?.length ?? 0) > 0;
  if (item.kind === "thought") return item.text.trim() !== "";
  return true;
}

/** A stable key: an expanded item stays expanded when it moves. */
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

/**
 * Index of the row that shows an event, or -1. An event of a subagent is in the row of its call; an event without a row leads to the start
 * of its turn.
 */
export function rowOf(rows: readonly Row[], event: ReinsEvent): number {
  const ending = rows.findIndex((row) => row.kind === "end" && row.turn.id === event.turnId);
  const beginning = rows.slice(0, Math.max(0, ending)).findLastIndex(({ kind }) => kind === "end") + 1;
  if (event.type === "turn.started") return ending === -1 ? -1 : beginning;
  const shows = (row: Row): boolean => row.kind === "item" && holds(row.item, (item) => isOf(item, event));
  const within = rows.findIndex((row, index) => index >= beginning && index <= ending && shows(row));
  if (within !== -1) return within;
  // Background work may end in a later turn than the one it began in.
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
      // An agent may reuse an id, so compare the text too.
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
