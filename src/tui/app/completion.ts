/** Fills the list under the prompt: slash commands, and files after `@`. */
import { completeSlash, slashCommands } from "../../view/slash/commands.ts";
import {
  acceptCompletion,
  completionKey,
  followCompletion,
  isOpen,
  noCompletion,
  withItems,
  type CompletionTarget,
  type Match,
} from "../editor/index.ts";
import type { Key } from "../key.ts";
import type { App } from "./app.ts";

const mostFiles = 50;

/** Call it after each change of the prompt. */
export function updateCompletion(app: App): void {
  const { active } = app.sessions;
  const before = app.completion;
  app.completion = followCompletion(before, active.editor);
  const { target } = app.completion;
  if (target === undefined || target === before.target) return;
  if (target.kind === "slash") {
    const own = active.conversation.commands ?? [];
    const found = completeSlash(target.query, { own, where: "terminal" });
    const items = found.map(({ text, hint, description }) => ({
      value: text.slice(1),
      description: [hint, description].filter((part) => part !== "").join("  "),
    }));
    app.completion = withItems(app.completion, target, items);
  } else void findFiles(app, target, before.target?.kind !== target.kind);
}

async function findFiles(app: App, target: CompletionTarget, isNew: boolean): Promise<void> {
  // Read the file list when a mention begins. `@` and more may arrive in one piece, so the query need not be empty.
  const reading = isNew ? app.files.refresh() : undefined;
  await show(app, target);
  await reading;
  // The person may have typed on while the list was read.
  const { target: current } = app.completion;
  if (reading !== undefined && current?.kind === "file") await show(app, current);
}

/** Searches for the current text and aborts the previous search. */
async function show(app: App, target: CompletionTarget): Promise<void> {
  app.fileSearch.abort();
  app.fileSearch = new AbortController();
  const list = (matches: readonly Match[]): void => {
    const items = matches.map(({ text, positions }) => ({ value: text, positions }));
    app.completion = withItems(app.completion, target, items);
    // This answers a key press, so do not wait for the next frame.
    app.output.changed(true);
  };
  const found = await app.files.search(target.query, mostFiles, { signal: app.fileSearch.signal, early: list });
  if (found !== undefined) list(found.matches);
}

export function closeCompletion(app: App): void {
  app.completion = noCompletion;
}

/** Returns whether the list handled the key. */
export function keyOfCompletion(app: App, key: Key): boolean {
  if (!isOpen(app.completion)) return false;
  const { completion, handled, accept } = completionKey(app.completion, key);
  app.completion = completion;
  if (accept === undefined) return handled;
  const { active } = app.sessions;
  active.editor = acceptCompletion(active.editor, accept.target, accept.item);
  updateCompletion(app);
  // Enter runs a chosen command, unless it needs an argument.
  return !(
    accept.by === "enter" &&
    accept.target.kind === "slash" &&
    (accept.complete || !takesArgument(accept.item.value))
  );
}

/** Commands with a required argument wait for it. */
function takesArgument(name: string): boolean {
  return slashCommands.find((command) => command.name === name)?.hint.startsWith("<") ?? false;
}
