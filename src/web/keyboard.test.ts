import { expect, test } from "vitest";
import { matches, shortcutOf } from "./keyboard.ts";

const plain = { key: "", ctrlKey: false, metaKey: false, altKey: false, shiftKey: false };

test.each([
  ["n", { key: "n" }, true],
  ["n", { key: "N", shiftKey: true }, true],
  ["n", { key: "n", ctrlKey: true }, false],
  ["?", { key: "?", shiftKey: true }, true],
  ["Mod+b", { key: "b", metaKey: true }, true],
  ["Mod+b", { key: "b", ctrlKey: true }, true],
  ["Mod+b", { key: "b" }, false],
  ["Alt+a", { key: "a", altKey: true }, true],
  ["Ctrl+x", { key: "x", ctrlKey: true }, true],
  ["Ctrl+x", { key: "x", metaKey: true }, false],
  ["Ctrl+x", { key: "x" }, false],
  ["Escape", { key: "Escape" }, true],
  ["Escape", { key: "Escape", shiftKey: true }, false],
  ["Alt+ArrowUp", { key: "ArrowUp", altKey: true }, true],
  ["Alt+ArrowUp", { key: "ArrowUp" }, false],
])("%s and %j: %s", (keys, pressed, fits) => expect(matches(keys, { ...plain, ...pressed })).toBe(fits));

test.each([
  ["ctrl+x", "Ctrl+x"],
  ["alt+shift+g", "Alt+Shift+g"],
  ["f2", "f2"],
])("reads the leader %s as %s", (key, keys) => expect(shortcutOf(key)).toBe(keys));
