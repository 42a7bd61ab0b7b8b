/** Keyboard shortcuts of the page. Each is registered with its label, so that the overview is always complete. */
import { useEffect, useRef } from "react";
import { createStore } from "./state/store.ts";

export interface Shortcut {
  /** `n`, `Alt+ArrowUp`, `Mod+k`: Mod is Ctrl, or Command on a Mac. `Ctrl+x b` is two keys in sequence. */
  readonly keys: string;
  readonly label: string;
  /** Heading in the overview: the part of the page where the shortcut works. */
  readonly group?: string | undefined;
  /** Active while typing too. Never set for a single letter. */
  readonly whileWriting?: boolean | undefined;
}

interface Bound extends Shortcut {
  readonly run: (event: KeyboardEvent) => void;
}

/** The shortcuts that work on the current screen. */
export const bound = createStore<readonly Bound[]>([]);

export function useShortcut(shortcut: Shortcut, run: (event: KeyboardEvent) => void): void {
  const latest = useRef(run);
  useEffect(() => {
    latest.current = run;
  });
  const { keys, label, group, whileWriting } = shortcut;
  useEffect(() => {
    const mine: Bound = { keys, label, group, whileWriting, run: (event) => latest.current(event) };
    bound.set([...bound.get(), mine]);
    return () => bound.set(bound.get().filter((one) => one !== mine));
  }, [keys, label, group, whileWriting]);
}

type Pressed = Pick<KeyboardEvent, "key" | "ctrlKey" | "metaKey" | "altKey" | "shiftKey">;

/** Converts a key of the configuration, such as `ctrl+x`, to the notation of this file. */
export function shortcutOf(key: string): string {
  const parts = key.split("+").map((part) => part.trim());
  return parts.map((part) => modifiers[part.toLowerCase()] ?? part).join("+");
}

const modifiers: Readonly<Record<string, string>> = { ctrl: "Ctrl", alt: "Alt", shift: "Shift" };

/** Ignores Shift for characters: most keyboards need it to type `?`. */
export function matches(keys: string, pressed: Pressed): boolean {
  const parts = keys.split("+");
  const key = parts.at(-1) ?? "";
  const mod = parts.includes("Ctrl") ? pressed.ctrlKey && !pressed.metaKey : pressed.ctrlKey || pressed.metaKey;
  if ((parts.includes("Mod") || parts.includes("Ctrl")) !== mod || parts.includes("Alt") !== pressed.altKey)
    return false;
  if (key.length > 1 && parts.includes("Shift") !== pressed.shiftKey) return false;
  return pressed.key === key || (key.length === 1 && pressed.key.toLowerCase() === key.toLowerCase());
}

export function listenToKeys(): void {
  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.isComposing) return;
    // An open dialog has keys of its own.
    if (document.querySelector("dialog[open]") !== null) return;
    if (modifierKeys.has(event.key)) return;
    const writing = isWriting(event.target);
    const allowed = bound.get().filter((one) => !writing || one.whileWriting === true);
    const before = leader;
    leader = undefined;
    const found = allowed.findLast(({ keys }) => {
      const [first = "", second] = keys.split(" ");
      return second === undefined ? matches(first, event) : first === before && matches(second, event);
    });
    const leads = found === undefined ? leaderPressed(allowed, event) : undefined;
    if (found === undefined && leads === undefined) return;
    event.preventDefault();
    leader = leads;
    found?.run(event);
  });
}

/** The first key of a two-key shortcut, once pressed. */
let leader: string | undefined;
const modifierKeys: ReadonlySet<string> = new Set(["Control", "Shift", "Alt", "Meta"]);

function leaderPressed(allowed: readonly Bound[], event: KeyboardEvent): string | undefined {
  // Ctrl+X with a selection cuts it.
  if (hasSelection(event.target)) return undefined;
  return allowed
    .map(({ keys }) => keys.split(" "))
    .find(([first = "", second]) => second !== undefined && matches(first, event))?.[0];
}

function hasSelection(target: EventTarget | null): boolean {
  const field = target instanceof HTMLTextAreaElement || target instanceof HTMLInputElement ? target : undefined;
  return field === undefined
    ? document.getSelection()?.isCollapsed === false
    : field.selectionStart !== field.selectionEnd;
}

function isWriting(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement && (target.isContentEditable || /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
  );
}
