/** The answers to slash commands, per place: a session's id, or `new`. They are part of this page only, and of no log. */
import { useMemo } from "react";
import { boxText, type Box } from "../../view/slash/box.ts";
import { announce } from "../state/messages.ts";
import { createStore, useStore } from "../state/store.ts";

export interface BoxAction {
  readonly label: string;
  readonly run: () => void;
}

export interface ShownBox {
  readonly id: number;
  readonly place: string;
  /** How many entries the conversation had: the box stands after them. */
  readonly after: number;
  readonly box: Box;
  /** The command has not answered yet. */
  readonly pending: boolean;
  readonly actions: readonly BoxAction[];
}

/** So many are kept; older ones go. */
const mostBoxes = 200;
const longestAnnouncement = 600;

const shown = createStore<readonly ShownBox[]>([]);
let last = 0;

export function useBoxes(place: string): readonly ShownBox[] {
  const all = useStore(shown);
  return useMemo(() => all.filter((one) => one.place === place), [all, place]);
}

export function dismissBox(id: number): void {
  shown.set(shown.get().filter((one) => one.id !== id));
}

export function clearBoxes(place: string): void {
  shown.set(shown.get().filter((one) => one.place !== place));
}

export function showBoxes(
  place: string,
  after: number,
  boxes: readonly Box[],
  actions: readonly BoxAction[] = [],
): void {
  const added = boxes.map((box, index): ShownBox => ({
    ...{ id: ++last, place, after, box, pending: false },
    // They belong to the whole answer, which ends with its last box.
    actions: index === boxes.length - 1 ? actions : [],
  }));
  shown.set([...shown.get(), ...added].slice(-mostBoxes));
  if (boxes.length > 0) announce(boxes.map(boxText).join("\n").slice(0, longestAnnouncement));
}

/** A box that says that the command runs. Returns the function that takes it away. */
export function showPending(place: string, after: number, title: string): () => void {
  const id = ++last;
  shown.set([...shown.get(), { id, place, after, box: { title, lines: [] }, pending: true, actions: [] }]);
  return () => dismissBox(id);
}
