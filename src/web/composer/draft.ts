/** What was written and not sent, by session, until the tab is closed. */
import { useEffect, useState } from "react";

const name = (key: string): string => `reins.draft.${key}`;

function read(key: string): string {
  try {
    return sessionStorage.getItem(name(key)) ?? "";
  } catch {
    return "";
  }
}

function keep(key: string, text: string): void {
  try {
    if (text === "") sessionStorage.removeItem(name(key));
    else sessionStorage.setItem(name(key), text);
  } catch {
    // It is lost with the page.
  }
}

export function useDraft(key: string): readonly [string, (text: string) => void] {
  const [text, setText] = useState(() => read(key));
  useEffect(() => keep(key, text), [key, text]);
  return [text, setText];
}
