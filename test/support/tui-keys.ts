import type { Key } from "../../src/tui/key.ts";

/** Parses `ctrl+a`, `shift+enter`, or text to type. */
export function keyOf(name: string): Key {
  const parts = /^((?:ctrl\+|alt\+|shift\+)*)(.+)$/su.exec(name);
  const [, modifiers = "", key = name] = parts ?? [];
  const named = key.length > 1 && /^[a-z]+\d*$/.test(key);
  const [ctrl, alt, shift] = ["ctrl", "alt", "shift"].map((word) => modifiers.includes(word)) as [
    boolean,
    boolean,
    boolean,
  ];
  return { name: key.toLowerCase(), ctrl, alt, shift, text: named || ctrl || alt ? undefined : key };
}
