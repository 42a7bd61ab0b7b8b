/** Handles keys, pastes and mouse presses. */
import { keyName, type Key, type TerminalInput } from "../key.ts";
import { clearEditor, editKey, editorText, insertPaste, isEmpty, pastedImagePath, setText } from "../editor/index.ts";
import { copyText } from "../wrap.ts";
import { answerKey } from "./answers.ts";
import type { App } from "./app.ts";
import { closeCompletion, keyOfCompletion, updateCompletion } from "./completion.ts";
import { openSearch, searchKey } from "./find.ts";
import { overlayKey } from "./overlay.ts";
import { questionKey } from "./question-form.ts";
import { shortcut } from "./shortcuts.ts";
import { nextMode } from "../panels/pickers.ts";
import { stopShellCommands } from "./shell-command.ts";
import { submit } from "./submit.ts";
import { scrolled, topBlock, anchorAt } from "./viewport.ts";

/** How long a first Esc or Ctrl-C counts. */
const againMs = 2_000;

interface Presses {
  escape: number;
  ctrlC: number;
}

const presses = new WeakMap<App, Presses>();

export function handleKey(app: App, key: Key): void {
  const name = keyName(key);
  if (name === "ctrl+z") return app.output.suspend();
  if (name === "ctrl+l") return app.output.redraw();
  if (app.overlay !== undefined) return keyOfOverlay(app, key);
  if (app.search !== undefined) return searchKey(app, key);
  if (app.leaderPressed) {
    app.leaderPressed = false;
    return shortcut(app, name);
  }
  if (name === app.settings.leader) {
    app.leaderPressed = true;
    return;
  }
  if (name === "ctrl+c") return interrupt(app);
  const { active } = app.sessions;
  if (active.browsed !== undefined && browseKey(app, name)) return;
  if (keyOfCompletion(app, key)) return;
  if (name === "escape") return escape(app);
  if (requestKey(app, key, name)) return;
  if (viewKey(app, name)) return;
  edit(app, key, name);
}

function keyOfOverlay(app: App, key: Key): void {
  const before = app.overlay!;
  const { overlay, run } = overlayKey(before, key, Math.max(1, app.size.rows - 8));
  app.overlay = overlay;
  run?.();
}

/** Ctrl-C stops a command that runs. Otherwise the first one clears the draft or warns; the second quits. */
function interrupt(app: App): void {
  const { active } = app.sessions;
  if (active.commands.size > 0) return stopShellCommands(active);
  const last = pressesOf(app);
  if (app.now - last.ctrlC < againMs) return app.output.quit();
  last.ctrlC = app.now;
  if (!isEmpty(active.editor)) {
    app.host.addHistory(editorText(active.editor));
    app.history.add(editorText(active.editor));
    active.editor = clearEditor(active.editor);
    closeCompletion(app);
  }
  app.flash("Press Ctrl+C again to quit.", againMs);
}

function pressesOf(app: App): Presses {
  const known = presses.get(app) ?? { escape: -againMs, ctrlC: -againMs };
  presses.set(app, known);
  return known;
}

/** Esc closes what is open and keeps the draft. On an empty prompt, a second Esc stops the command or the turn. */
function escape(app: App): void {
  const { active } = app.sessions;
  if (app.selection !== undefined) {
    app.selection = undefined;
    return;
  }
  if (app.settings.vi) {
    const { state, handled } = editKey(
      active.editor,
      { name: "escape", ctrl: false, alt: false, shift: false },
      editorOptions(app),
    );
    if (handled && state !== active.editor) {
      active.editor = state;
      return;
    }
  }
  if (active.anchor !== undefined) {
    active.anchor = undefined;
    return;
  }
  const runsCommand = active.commands.size > 0;
  if ((!active.isBusy && !runsCommand) || !isEmpty(active.editor)) return;
  const last = pressesOf(app);
  if (app.now - last.escape >= againMs) {
    last.escape = app.now;
    if (runsCommand) return app.flash("Press Esc again to stop the command.", againMs);
    return app.flash("Press Esc again to stop the turn.", againMs, active);
  }
  last.escape = -againMs;
  if (runsCommand) {
    app.flash("");
    return stopShellCommands(active);
  }
  app.flash("Stopping the turn…", 60_000, active);
  app.attempt(() => app.sessions.cancel(active));
}

/** Keys that answer the request on the screen: while the prompt is empty, or with Alt. */
function requestKey(app: App, key: Key, name: string): boolean {
  const { active } = app.sessions;
  const { request } = active;
  if (request === undefined || request.requestId !== app.answerable) return false;
  if (request.kind === "question") {
    if (!isEmpty(active.editor) || app.form?.requestId !== request.requestId) return false;
    const { form, handled, done } = questionKey(app.form, key);
    app.form = form;
    if (done !== undefined) app.answer(active, request.requestId, { decision: "answer", answers: done });
    return handled;
  }
  if (name === "ctrl+down" || name === "ctrl+up") {
    app.requestTop = Math.max(0, app.requestTop + (name === "ctrl+down" ? 5 : -5));
    return true;
  }
  return answerKey(app, request, key);
}

const pageShare = 0.8;

/** Keys that move the view. */
function viewKey(app: App, name: string): boolean {
  const { active } = app.sessions;
  const page = Math.max(1, Math.floor((app.places.conversation?.shown.rows.length ?? app.size.rows) * pageShare));
  switch (name) {
    case "pageup":
      return scroll(app, -page);
    case "pagedown":
      return scroll(app, page);
    case "ctrl+up":
      return scroll(app, -3);
    case "ctrl+down":
      return scroll(app, 3);
    case "end":
      if (active.anchor === undefined) return false;
      active.anchor = undefined;
      return true;
    case "alt+up":
    case "alt+down":
      return jump(app, name === "alt+up" ? -1 : 1);
    case "ctrl+f":
      openSearch(app);
      return true;
    case "ctrl+t":
      active.expandAll = !active.expandAll;
      return true;
    case "shift+tab":
      nextMode(app);
      return true;
    case "ctrl+n":
      app.sessions.step(1);
      return true;
    case "ctrl+p":
      app.sessions.step(-1);
      return true;
    case "tab":
      if (!isEmpty(active.editor)) return false;
      return browse(app, undefined);
    default: {
      const number = /^alt\+([1-9])$/.exec(name)?.[1];
      const view = number === undefined ? undefined : app.sessions.views[Number(number) - 1];
      if (view === undefined) return false;
      app.sessions.show(view);
      return true;
    }
  }
}

export function scroll(app: App, by: number): boolean {
  const { active } = app.sessions;
  const { conversation } = app.places;
  if (conversation === undefined) return true;
  const size = { width: conversation.width, height: conversation.shown.rows.length };
  active.anchor = scrolled(active.blocks(app.look()), size, active.anchor, by);
  app.selection = undefined;
  return true;
}

/** Scrolls to the previous or next prompt. */
function jump(app: App, by: 1 | -1): boolean {
  const { active } = app.sessions;
  const { conversation } = app.places;
  if (conversation === undefined) return true;
  const blocks = active.blocks(app.look());
  const size = { width: conversation.width, height: conversation.shown.rows.length };
  const top = topBlock(blocks, size, active.anchor);
  const prompts = blocks.flatMap(({ kind }, index) => (kind === "prompt" ? [index] : []));
  const target = by < 0 ? prompts.findLast((index) => index < top) : prompts.find((index) => index > top);
  active.anchor = target === undefined ? (by < 0 ? active.anchor : undefined) : anchorAt(blocks, target);
  return true;
}

/** Starts browsing the rows that can be opened, or moves to the next one. */
function browse(app: App, by: 1 | -1 | undefined): boolean {
  const { active } = app.sessions;
  const blocks = active.blocks(app.look());
  const foldable = blocks.filter((block) => block.foldable);
  const at = foldable.findIndex(({ id }) => id === active.browsed);
  const next = by === undefined ? foldable.at(-1) : foldable[Math.max(0, Math.min(foldable.length - 1, at + by))];
  if (next === undefined) return true;
  active.browsed = next.id;
  const isVisible = app.places.conversation?.shown.rows.some(({ block }) => block.id === next.id) ?? true;
  if (!isVisible) active.anchor = anchorAt(blocks, blocks.indexOf(next));
  app.flash("↑↓ move · Enter opens · y copies · Esc leaves", 4_000);
  return true;
}

function browseKey(app: App, name: string): boolean {
  const { active } = app.sessions;
  const id = active.browsed!;
  switch (name) {
    case "up":
    case "down":
      return browse(app, name === "up" ? -1 : 1);
    case "tab":
      return browse(app, 1);
    case "shift+tab":
      return browse(app, -1);
    case "enter":
    case "space":
      toggle(app, id);
      return true;
    case "y": {
      const block = active.blocks(app.look()).find((one) => one.id === id);
      if (block !== undefined) app.output.copy(block.text);
      app.flash("Copied.");
      return true;
    }
    case "escape":
      active.browsed = undefined;
      return true;
    default:
      active.browsed = undefined;
      return false;
  }
}

export function toggle(app: App, id: string): void {
  const { unfolded } = app.sessions.active;
  if (!unfolded.delete(id)) unfolded.add(id);
}

export function editorOptions(app: App): Parameters<typeof editKey>[2] {
  return { width: app.size.columns, history: app.history, vi: app.settings.vi };
}

function edit(app: App, key: Key, name: string): void {
  const { active } = app.sessions;
  // Up on an empty prompt takes back the last queued prompt.
  if (name === "up" && isEmpty(active.editor) && active.queue.length > 0) {
    const last = active.queue.pop()!;
    active.editor = setText(active.editor, typeof last === "string" ? last : last.text);
    return;
  }
  if (name === "ctrl+d" && isEmpty(active.editor)) return interrupt(app);
  const { state, handled, submit: isSubmitted, notice } = editKey(active.editor, key, editorOptions(app));
  active.editor = state;
  if (notice !== undefined) app.flash(notice);
  if (isSubmitted === true) return submit(app);
  if (handled) updateCompletion(app);
}

export function handlePaste(app: App, text: string): void {
  const { overlay } = app;
  if (overlay?.kind === "text") app.overlay = { ...overlay, editor: insertPaste(overlay.editor, text) };
  else if (overlay?.kind === "picker") app.overlay = { ...overlay, query: insertPaste(overlay.query, text.trim()) };
  else if (app.search === undefined && overlay === undefined) {
    const { active } = app.sessions;
    // A file that is dropped on the terminal arrives as its path.
    const image = pastedImagePath(text);
    const dropped = image !== undefined && app.host.fileExists(image);
    active.editor = insertPaste(active.editor, dropped ? `@"${image}" ` : text);
    updateCompletion(app);
  }
}

type Mouse = Extract<TerminalInput, { readonly kind: "mouse" }>;

export function handleMouse(app: App, { action, row, column }: Mouse): void {
  if (action === "wheelup" || action === "wheeldown") return void scroll(app, action === "wheelup" ? -3 : 3);
  const { repositoryAction, conversation } = app.places;
  if (action === "press" && repositoryAction !== undefined && row === repositoryAction.row) {
    if (column >= repositoryAction.from && column < repositoryAction.to) shortcut(app, "b");
    return;
  }
  if (conversation === undefined) return;
  const at = row - conversation.top;
  const inside =
    at >= 0 &&
    at < conversation.shown.rows.length &&
    column >= conversation.left &&
    column < conversation.left + conversation.width;
  if (action === "press") app.selection = inside ? { from: at, to: at } : undefined;
  else if (action === "drag" && app.selection !== undefined)
    app.selection = { ...app.selection, to: Math.max(0, Math.min(at, conversation.shown.rows.length - 1)) };
  else if (action === "release") release(app);
}

/** A click opens the row; a drag copies the source text of the rows. */
function release(app: App): void {
  const { selection, places } = app;
  const rows = places.conversation?.shown.rows ?? [];
  app.selection = undefined;
  if (selection === undefined) return;
  if (selection.from === selection.to) {
    const block = rows[selection.from]?.block;
    if (block?.foldable === true) toggle(app, block.id);
    return;
  }
  const [from, to] = [Math.min(selection.from, selection.to), Math.max(selection.from, selection.to)];
  const lines = [...new Set(rows.slice(from, to + 1).map(({ row }) => row.line))];
  app.output.copy(lines.map(copyText).join("\n"));
  app.flash("Copied.");
}
