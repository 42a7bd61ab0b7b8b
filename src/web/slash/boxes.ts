/** Answers to slash commands, per place: a session id, or `new`. They exist in this page only and are not logged. */
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
  /** Number of conversation entries before the box. */
  readonly after: number;
  readonly box: Box;
  /** True until the command has answered. */
  readonly pending: boolean;
  readonly actions: readonly BoxAction[];
}

/** Older boxes are dropped. */
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
    // Actions belong to the whole answer, so show them on its last box.
    actions: index === boxes.length - 1 ? actions : [],
  }));
  shown.set([...shown.get(), ...added].slice(-mostBoxes));
  if (boxes.length > 0) announce(boxes.map(boxText).join("\n").slice(0, longestAnnouncement));
}

/** Shows that a command is running. Returns a function that removes the box. */
export function showPending(place: string, after: number, title: string): () => void {
  const id = ++last;
  shown.set([...shown.get(), { id, place, after, box: { title, lines: [] }, pending: true, actions: [] }]);
  return () => dismissBox(id);
}
