import { describe, expect, test } from "vitest";
import { contrast, type Colour } from "../../test/support/contrast.ts";
import type { Theme } from "./theme.ts";
import { themeFor, themes } from "./themes.ts";

const named = ["dim", "accent", "success", "warning", "error", "link", "code", "heading", "border"] as const;
const paired = ["added", "removed", "addedWord", "removedWord", "selected", "found"] as const;
const syntax = [
  ...["added", "attribute", "comment", "constant", "function", "keyword", "meta", "number", "property", "removed"],
  ...["string", "tag", "type"],
];

function colourOf(text: string, ground: 38 | 48): Colour | undefined {
  const all = new RegExp(`\\x1b\\[${ground};2;(\\d+);(\\d+);(\\d+)m`).exec(text);
  if (all !== null) return [Number(all[1]), Number(all[2]), Number(all[3])];
  const one = new RegExp(`\\x1b\\[${ground};5;(\\d+)m`).exec(text);
  return one === null ? undefined : colour256(Number(one[1]));
}

function colour256(index: number): Colour {
  if (index >= 232) return [8 + (index - 232) * 10, 8 + (index - 232) * 10, 8 + (index - 232) * 10];
  const steps = [0, 95, 135, 175, 215, 255];
  const cube = index - 16;
  return [steps[Math.floor(cube / 36)]!, steps[Math.floor(cube / 6) % 6]!, steps[cube % 6]!];
}

const all = { COLORTERM: "truecolor", TERM: "xterm-256color" };
const few = { TERM: "xterm-256color" };
const darkest: Colour = [0, 0, 0];
const dark: Colour = [0x1e, 0x1e, 0x1e];
const lighterDark: Colour = [0x28, 0x2c, 0x34];
const white: Colour = [255, 255, 255];

describe.each<[string, Theme, readonly Colour[], number]>([
  ["dark", themes.dark, [darkest, dark, lighterDark], 4.5],
  ["dark in 256 colours", themeFor({ env: few }), [darkest, dark, lighterDark], 4.5],
  ["light", themes.light, [white], 4.5],
  ["light in 256 colours", themeFor({ env: few, background: "#ffffff" }), [white], 4.5],
  ["contrast", themes.contrast, [darkest, dark, lighterDark], 7],
  ["contrast on white", themeFor({ env: all, name: "contrast", background: "#ffffff" }), [white], 7],
])("%s", (_name, theme, backgrounds, least) => {
  test.each<[string, (text: string) => string]>([
    ...named.map((name) => [name, theme[name]] as [string, Theme["dim"]]),
    ...syntax.map((kind) => [`syntax ${kind}`, (text: string) => theme.syntax(kind, text)] as [string, Theme["dim"]]),
  ])("%s is readable on the background", (_style, style) => {
    const colour = colourOf(style("x"), 38);
    expect(colour).toBeDefined();
    for (const background of backgrounds) expect(contrast(colour!, background)).toBeGreaterThanOrEqual(least);
  });

  test.each(paired)("%s is readable on its own background", (name) => {
    const styled = theme[name]("x");
    expect(contrast(colourOf(styled, 38)!, colourOf(styled, 48)!)).toBeGreaterThanOrEqual(least);
  });
});

test.each(["#00CCCC", "#888888", "#00FF00", "#FFAA00", "#FFFFFF", "#000000"])(
  "an external colour %s is readable on white too",
  (hex) => {
    for (const env of [all, few]) {
      const styled = themeFor({ env, background: "#ffffff" }).colour(hex, "x");
      expect(contrast(colourOf(styled, 38)!, white)).toBeGreaterThanOrEqual(4.5);
    }
    const onDark = colourOf(themes.dark.colour(hex, "x"), 38)!;
    expect(onDark.map((part) => part.toString(16).padStart(2, "0")).join("")).toBe(hex.slice(1).toLowerCase());
  },
);

test.each<[Parameters<typeof themeFor>[0], Theme["name"]]>([
  [{ env: all }, "dark"],
  [{ env: all, background: "#fdf6e3" }, "light"],
  [{ env: all, background: "#1e1e1e" }, "dark"],
  [{ env: all, background: "white" }, "dark"],
  [{ env: all, background: "#ffffff", name: "dark" }, "dark"],
  [{ env: all, name: "contrast" }, "contrast"],
  [{ env: { TERM: "xterm" } }, "terminal"],
  [{ env: { TERM: "linux" }, name: "light" }, "terminal"],
  [{ env: { ...all, NO_COLOR: "1" }, name: "dark" }, "none"],
  [{ env: { ...all, NO_COLOR: "" } }, "dark"],
  [{ env: { TERM: "dumb" } }, "none"],
])("themeFor(%j) is %s", (choice, name) => {
  expect(themeFor(choice).name).toBe(name);
});

test("writes no colour code without colours", () => {
  const { none } = themes;
  const said = [...named, ...paired].map((name) => none[name]("x")).join("") + none.colour("#ff0000", "x");
  expect([...said.matchAll(/\x1b\[(\d+)m/g)].every(([, code]) => Number(code) < 30)).toBe(true);
});

test.each([
  ["#ff0000", "\x1b[31mx\x1b[39m"],
  ["#808080", "\x1b[39mx\x1b[39m"],
  ["#00c8ff", "\x1b[36mx\x1b[39m"],
  ["red; evil", "x"],
])("the 16 colours for %s", (hex, expected) => {
  expect(themes.terminal.colour(hex, "x")).toBe(expected);
});
