/** Reverse search in the history (Ctrl+R). */
import { keyName, type Key } from "../key.ts";
import { before } from "./graphemes.ts";
import { setText, type EditorState } from "./state.ts";

export function startSearch(state: EditorState, entries: readonly string[]): EditorState {
  return { ...state, search: { query: "", entries, index: entries.length, failed: false, draft: state } };
}

/** Handles a key during the search. Undefined: the search has ended with the match as text, and the key is still to be handled. */
export function searchKey(state: EditorState, key: Key): EditorState | undefined {
  const { search } = state;
  if (search === undefined) return undefined;
  const name = keyName(key);
  if (name === "ctrl+r" || name === "up") return find(state, search.query, search.index - 1, -1);
  if (name === "ctrl+s" || name === "down") return find(state, search.query, search.index + 1, 1);
  if (name === "backspace" || name === "ctrl+h")
    return find(state, withoutLast(search.query), search.entries.length - 1, -1);
  if (name === "escape" || name === "ctrl+g" || name === "ctrl+c") return search.draft;
  if (name === "enter" || name === "tab") return endSearch(state);
  if (key.text !== undefined && !key.ctrl && !key.alt) return find(state, search.query + key.text, search.index, -1);
  return undefined;
}

export function endSearch(state: EditorState): EditorState {
  return state.search === undefined ? state : { ...state, search: undefined };
}

function find(state: EditorState, query: string, from: number, step: -1 | 1): EditorState {
  const { search } = state;
  if (search === undefined) return state;
  if (query === "") return startSearch(search.draft, search.entries);
  const wanted = query.toLowerCase();
  for (let index = from; index >= 0 && index < search.entries.length + 1; index += step) {
    const entry = search.entries[index];
    if (entry?.toLowerCase().includes(wanted) !== true) continue;
    return { ...setText(search.draft, entry), search: { ...search, query, index, failed: false } };
  }
  return { ...state, search: { ...search, query, failed: true } };
}

function withoutLast(query: string): string {
  return query.slice(0, before({ text: query, marks: [] }, query.length));
}
