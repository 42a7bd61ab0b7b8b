/** Earlier prompts, and walking through them with the arrow keys. */
import { moveTo, openLength, point, replace, setText, type Browsing, type EditorState, type Point } from "./state.ts";

const maxEntries = 1000;
const maxLength = 1024 * 1024;

/** Earlier prompts, oldest first, each once. Limited in size, but the newest is always kept. */
export class EditorHistory {
  #entries: readonly string[];

  constructor(entries: readonly string[] = []) {
    this.#entries = bounded([...new Set([...entries].reverse())].reverse());
  }

  /** Adding a prompt replaces the array; it is never mutated. */
  get entries(): readonly string[] {
    return this.#entries;
  }

  /** Ignores blank prompts. A repeated prompt becomes the newest. */
  add(text: string): void {
    if (text.trim() === "") return;
    this.#entries = bounded([...this.#entries.filter((entry) => entry !== text), text]);
  }
}

function bounded(entries: readonly string[]): readonly string[] {
  let length = 0;
  let first = entries.length;
  while (first > 0 && entries.length - first < maxEntries) {
    length += entries[first - 1]?.length ?? 0;
    if (length > maxLength && first < entries.length) break;
    first--;
  }
  return entries.slice(first);
}

/**
 * Shows the previous (-1) or next (1) entry; undefined when there is none. Edits of entries and the draft stay until the prompt is sent.
 */
export function walkHistory(state: EditorState, entries: readonly string[], step: -1 | 1): EditorState | undefined {
  const { browsing = { entries, index: entries.length, kept: new Map<number, Point>() } } = state;
  const index = browsing.index + step;
  if (index < 0 || index > browsing.entries.length) return undefined;
  const kept = new Map(browsing.kept).set(browsing.index, point(state));
  return shown(state, { ...browsing, index, kept }, step);
}

function shown(state: EditorState, browsing: Browsing, step: -1 | 1): EditorState {
  const kept = browsing.kept.get(browsing.index);
  const next = kept
    ? replace(state, 0, state.text.length, kept, { cursor: kept.cursor })
    : setText(state, browsing.entries[browsing.index] ?? "");
  // Going back, put the cursor on the first row, so that the next Up continues.
  const cursor = step < 0 && next.text.length <= openLength ? firstRowEnd(next) : next.text.length;
  return { ...moveTo(next, kept?.cursor ?? cursor), browsing };
}

function firstRowEnd({ text }: Point): number {
  const end = text.search(/[\r\n]/);
  return end === -1 ? text.length : end;
}
