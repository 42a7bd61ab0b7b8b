/** The keys of the page: each named once, with what it does, so that the overview is never wrong. */
import { useEffect, useRef } from "react";
import { createStore } from "./state/store.ts";

export interface Shortcut {
  /** `n`, `Alt+ArrowUp`, `Mod+k`: Mod is Ctrl, or Command on a Mac. */
  readonly keys: string;
  readonly label: string;
  /** Where it works: the heading under which the overview lists it. */
  readonly group?: string | undefined;
  /** Also while somebody writes. A single letter never is. */
  readonly whileWriting?: boolean | undefined;
}

interface Bound extends Shortcut {
  readonly run: (event: KeyboardEvent) => void;
}

/** The shortcuts that work where the person is now. */
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

/** Shift is not looked at for characters: `?` is one with it on most keyboards. */
export function matches(keys: string, pressed: Pressed): boolean {
  const parts = keys.split("+");
  const key = parts.at(-1) ?? "";
  const mod = pressed.ctrlKey || pressed.metaKey;
  if (parts.includes("Mod") !== mod || parts.includes("Alt") !== pressed.altKey) return false;
  if (key.length > 1 && parts.includes("Shift") !== pressed.shiftKey) return false;
  return pressed.key === key || (key.length === 1 && pressed.key.toLowerCase() === key.toLowerCase());
}

export function listenToKeys(): void {
  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.isComposing) return;
    // An open dialog has keys of its own.
    if (document.querySelector("dialog[open]") !== null) return;
    const writing = isWriting(event.target);
    const found = bound.get().findLast((one) => matches(one.keys, event) && (!writing || one.whileWriting === true));
    if (found === undefined) return;
    event.preventDefault();
    found.run(event);
  });
}

function isWriting(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement && (target.isContentEditable || /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
  );
}
