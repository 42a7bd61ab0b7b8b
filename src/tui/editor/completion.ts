/** Completion of slash commands and of files after `@`: the target, the list, and the accepted text. */
import { keyName, type Key } from "../key.ts";
import { replace, type EditorState } from "./state.ts";

/** The part of the text that an accepted item replaces. */
export interface CompletionTarget {
  readonly kind: "slash" | "file";
  /** Text up to the cursor, without `/`, `@` and quotes. */
  readonly query: string;
  readonly from: number;
  readonly to: number;
}

/** `@` at the start of a word, and the text after it up to the cursor. A paste mark ends a word. */
const fileBefore = /(?:^|[\s([{"'`,;:=\ufffc])@(?:"(?<quoted>[^"\n\ufffc]*)|(?<plain>[^\s"\ufffc]*))$/u;

export function completionAt(text: string, cursor: number): CompletionTarget | undefined {
  const before = text.slice(0, cursor);
  if (/^\/[^\s/\ufffc]*$/u.test(before)) {
    const to = wordEnd(text, cursor);
    return text.slice(1, to).includes("/") ? undefined : { kind: "slash", query: before.slice(1), from: 0, to };
  }
  const line = before.slice(before.lastIndexOf("\n") + 1);
  const { quoted, plain } = fileBefore.exec(line)?.groups ?? {};
  if (quoted !== undefined) {
    const rest = /^[^"\n\ufffc]*"/u.exec(text.slice(cursor))?.[0] ?? "";
    return { kind: "file", query: quoted, from: cursor - quoted.length - 2, to: cursor + rest.length };
  }
  if (plain === undefined) return undefined;
  return { kind: "file", query: plain, from: cursor - plain.length - 1, to: wordEnd(text, cursor) };
}

function wordEnd(text: string, cursor: number): number {
  return cursor + (/^[^\s"\ufffc]*/u.exec(text.slice(cursor))?.[0].length ?? 0);
}

export interface CompletionItem {
  /** The name of a command without `/`, or a path; a folder ends with `/`. */
  readonly value: string;
  readonly description?: string | undefined;
  /** Offsets of the matched letters in `value`. */
  readonly positions?: readonly number[] | undefined;
}

/** Open while there are items. The person can continue typing. */
export interface Completion {
  readonly target: CompletionTarget | undefined;
  readonly items: readonly CompletionItem[];
  readonly chosen: number;
  /** True when the person moved to this item: it stays chosen when the list changes. */
  readonly moved: boolean;
  /** `from` of a target that was closed by Esc: it stays closed until the cursor has left it. */
  readonly dismissed: number | undefined;
}

export const noCompletion: Completion = { target: undefined, items: [], chosen: 0, moved: false, dismissed: undefined };

export function isOpen({ target, items }: Completion): boolean {
  return target !== undefined && items.length > 0;
}

/** Call it after each change of the editor. When `target` changed, the app searches for items. */
export function followCompletion(completion: Completion, { text, cursor }: EditorState): Completion {
  const target = completionAt(text, cursor);
  if (target === undefined) return completion === noCompletion ? completion : noCompletion;
  if (target.from === completion.dismissed) return { ...noCompletion, dismissed: target.from };
  const old = completion.target;
  if (old === undefined || old.kind !== target.kind || old.from !== target.from) return { ...noCompletion, target };
  if (old.query === target.query && old.to === target.to) return completion;
  // Keep the old items until the new ones arrive, so that the list does not flicker.
  return { ...completion, target, moved: false };
}

/** Sets the items that were found for a target. Drops them when the target has changed. */
export function withItems(
  completion: Completion,
  found: CompletionTarget,
  items: readonly CompletionItem[],
): Completion {
  const { target } = completion;
  if (target?.kind !== found.kind || target.from !== found.from || target.query !== found.query) return completion;
  const value = completion.moved ? completion.items[completion.chosen]?.value : undefined;
  const kept = value === undefined ? -1 : items.findIndex((item) => item.value === value);
  return { ...completion, items, chosen: Math.max(0, kept), moved: kept !== -1 };
}

export interface CompletionResult {
  readonly completion: Completion;
  /** False: the key goes to the editor. */
  readonly handled: boolean;
  readonly accept?:
    | {
        readonly target: CompletionTarget;
        readonly item: CompletionItem;
        readonly by: "tab" | "enter";
        /** True when the item was typed in full already: Enter may then submit the command at once. */
        readonly complete: boolean;
      }
    | undefined;
}

const steps: Readonly<Record<string, number>> = { up: -1, down: 1, "ctrl+p": -1, "ctrl+n": 1, pageup: -8, pagedown: 8 };

export function completionKey(completion: Completion, key: Key): CompletionResult {
  const { target, items, chosen } = completion;
  const item = items[chosen];
  if (target === undefined || item === undefined) return { completion, handled: false };
  const name = keyName(key);
  const step = Object.hasOwn(steps, name) ? steps[name] : undefined;
  if (step !== undefined) return { completion: moveChoice(completion, step), handled: true };
  if (name === "escape") return { completion: { ...noCompletion, dismissed: target.from }, handled: true };
  if (name !== "tab" && name !== "enter") return { completion, handled: false };
  const accept = { target, item, by: name, complete: item.value === target.query } as const;
  return { completion: noCompletion, handled: true, accept };
}

/** A single step wraps around; a longer one stops at the end. */
export function moveChoice(completion: Completion, step: number): Completion {
  const { items, chosen } = completion;
  if (items.length === 0) return completion;
  const goal = chosen + step;
  const last = items.length - 1;
  const next = Math.abs(step) === 1 ? (goal + items.length) % items.length : Math.min(last, Math.max(0, goal));
  return { ...completion, chosen: next, moved: true };
}

/** Inserts the item and a blank after it. No blank after a folder, so that its files are listed next. */
export function acceptCompletion(state: EditorState, target: CompletionTarget, { value }: CompletionItem): EditorState {
  const isFolder = target.kind === "file" && value.endsWith("/");
  const blank = isFolder ? "" : " ";
  const quoted = /[\s"]/u.test(value);
  const opened = quoted ? `@"${value}${isFolder ? "" : '"'}` : `@${value}`;
  const text = (target.kind === "slash" ? `/${value}` : opened) + blank;
  const to = blank !== "" && state.text.charAt(target.to) === " " ? target.to + 1 : target.to;
  return replace(state, target.from, to, text);
}
