/** Search in the whole session (Ctrl+F). */
import { editKey, editorText, emptyEditor } from "../editor/index.ts";
import { keyName, type Key } from "../key.ts";
import type { App } from "./app.ts";
import { anchorAt } from "./viewport.ts";

export function openSearch(app: App): void {
  app.search = { editor: emptyEditor, found: [], at: 0 };
}

export function searchKey(app: App, key: Key): void {
  const search = app.search!;
  const name = keyName(key);
  if (name === "escape" || name === "ctrl+c") {
    app.search = undefined;
    return;
  }
  if (name === "enter" || name === "up" || name === "down" || name === "ctrl+f") {
    const count = search.found.length;
    if (count === 0) return;
    // The newest match is shown first, so Enter goes up.
    const step = name === "down" ? 1 : -1;
    return show(app, { ...search, at: (search.at + step + count) % count });
  }
  const { state } = editKey(search.editor, key, { width: app.size.columns });
  if (state.text === search.editor.text) {
    app.search = { ...search, editor: state };
    return;
  }
  const words = editorText(state).toLowerCase();
  const blocks = app.sessions.active.blocks(app.look());
  const found = words === "" ? [] : blocks.filter(({ text }) => text.toLowerCase().includes(words)).map(({ id }) => id);
  show(app, { editor: state, found, at: Math.max(0, found.length - 1) });
}

function show(app: App, search: NonNullable<App["search"]>): void {
  app.search = search;
  const { active } = app.sessions;
  const blocks = active.blocks(app.look());
  const index = blocks.findIndex(({ id }) => id === search.found[search.at]);
  if (index === -1) return;
  active.anchor = anchorAt(blocks, index);
  active.browsed = blocks[index]!.id;
}
