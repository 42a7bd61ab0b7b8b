/** The themes. Every text has a contrast of at least 4.5:1 against its background; `themes.test.ts` checks it. */
import type { Style, Theme } from "./theme.ts";

/** Colours as `#rrggbb`; a pair is text and background. */
interface Palette {
  readonly dim: string;
  readonly accent: string;
  readonly success: string;
  readonly warning: string;
  readonly error: string;
  readonly link: string;
  readonly code: string;
  readonly heading: string;
  readonly border: string;
  readonly added: readonly [string, string];
  readonly removed: readonly [string, string];
  readonly addedWord: readonly [string, string];
  readonly removedWord: readonly [string, string];
  readonly selected: readonly [string, string];
  readonly found: readonly [string, string];
  readonly syntax: Readonly<Record<string, string>>;
}

const dark: Palette = {
  dim: "#a0a0a0",
  accent: "#d7a56d",
  success: "#7ec77e",
  warning: "#e5c07b",
  error: "#ff8a80",
  link: "#7ab8ff",
  code: "#d7ba7d",
  heading: "#9cdcfe",
  border: "#989898",
  added: ["#c3f2c8", "#16321c"],
  removed: ["#ffd2cc", "#401a1a"],
  addedWord: ["#ffffff", "#1f6a35"],
  removedWord: ["#ffffff", "#8f2626"],
  selected: ["#ffffff", "#264f78"],
  found: ["#000000", "#e5c07b"],
  syntax: {
    ...{ added: "#7ec77e", attribute: "#9cdcfe", comment: "#8fae83", constant: "#79c0ff", function: "#dcdcaa" },
    ...{ keyword: "#d8a0df", meta: "#b8b8b8", number: "#b5cea8", property: "#9cdcfe", removed: "#ff8a80" },
    ...{ string: "#ce9f80", tag: "#6cb6ff", type: "#4ec9b0" },
  },
};

const light: Palette = {
  dim: "#5f5f5f",
  accent: "#8a4b08",
  success: "#19692c",
  warning: "#7a5200",
  error: "#b3261e",
  link: "#0550ae",
  code: "#7a3e00",
  heading: "#0b4f79",
  border: "#6b6b6b",
  added: ["#0f3d1b", "#dcf5e0"],
  removed: ["#5c1410", "#fde3e0"],
  addedWord: ["#06280f", "#9fe0ad"],
  removedWord: ["#44080a", "#f7b3ac"],
  selected: ["#000000", "#b6d7ff"],
  found: ["#000000", "#ffdf5d"],
  syntax: {
    ...{ added: "#19692c", attribute: "#0b4f79", comment: "#52665a", constant: "#0550ae", function: "#6f42c1" },
    ...{ keyword: "#a0225f", meta: "#5f5f5f", number: "#0550ae", property: "#0b4f79", removed: "#b3261e" },
    ...{ string: "#0a5c36", tag: "#1a5fb4", type: "#7a4b00" },
  },
};

const contrastDark: Palette = {
  dim: "#d0d0d0",
  accent: "#ffd75f",
  success: "#87ff87",
  warning: "#ffd75f",
  error: "#ffb3ad",
  link: "#a8d4ff",
  code: "#ffe0a3",
  heading: "#ffffff",
  border: "#d0d0d0",
  added: ["#ffffff", "#004d1a"],
  removed: ["#ffffff", "#6b0000"],
  addedWord: ["#000000", "#87ff87"],
  removedWord: ["#000000", "#ffb3ad"],
  selected: ["#000000", "#ffffff"],
  found: ["#000000", "#ffff00"],
  syntax: {
    ...{ added: "#87ff87", attribute: "#a8d4ff", comment: "#d0d0d0", constant: "#a8d4ff", function: "#ffffaf" },
    ...{ keyword: "#ffb0ff", meta: "#d0d0d0", number: "#afffaf", property: "#a8d4ff", removed: "#ffb3ad" },
    ...{ string: "#ffd7af", tag: "#a8d4ff", type: "#87ffd7" },
  },
};

const contrastLight: Palette = {
  dim: "#3a3a3a",
  accent: "#5c2e00",
  success: "#00420f",
  warning: "#4d3300",
  error: "#7a0000",
  link: "#00307a",
  code: "#4d2600",
  heading: "#000000",
  border: "#3a3a3a",
  added: ["#000000", "#d2f7d8"],
  removed: ["#000000", "#ffdcd8"],
  addedWord: ["#ffffff", "#00521a"],
  removedWord: ["#ffffff", "#7a0000"],
  selected: ["#ffffff", "#000000"],
  found: ["#000000", "#ffff00"],
  syntax: {
    ...{ added: "#00420f", attribute: "#00307a", comment: "#3a3a3a", constant: "#00307a", function: "#3d007a" },
    ...{ keyword: "#6b003d", meta: "#3a3a3a", number: "#00307a", property: "#00307a", removed: "#7a0000" },
    ...{ string: "#004023", tag: "#00307a", type: "#4d2e00" },
  },
};

/** Turns a style on and off; after a nested style ends, this style continues. */
function between(open: string, close: string): Style {
  const [on, off] = [`\x1b[${open}m`, `\x1b[${close}m`];
  return (text) => (text === "" ? "" : `${on}${text.includes(off) ? text.replaceAll(off, on) : text}${off}`);
}

const same: Style = (text) => text;
const bold = between("1", "22");
const italic = between("3", "23");
const underline = between("4", "24");
const strike = between("9", "29");
const inverse = between("7", "27");

/** All colours of a terminal, or the 256 of `38;5;n`. */
type Depth = "all" | "256";

const isColour = /^#[\da-f]{6}$/i;

function rgb(hex: string): readonly [number, number, number] {
  const value = Number.parseInt(hex.slice(1), 16);
  return [value >> 16, (value >> 8) & 255, value & 255];
}

const steps = [0, 95, 135, 175, 215, 255];

/** The nearest colour of the cube and the greys. */
function nearest256(hex: string): number {
  const wanted = rgb(hex);
  const distance = (colour: readonly number[]): number =>
    colour.reduce((sum, part, index) => sum + (part - wanted[index]!) ** 2, 0);
  const index = wanted.map((part) =>
    steps.reduce((best, step, at) => (Math.abs(step - part) < Math.abs(steps[best]! - part) ? at : best), 0),
  );
  const cube = index.map((at) => steps[at]!);
  const average = (wanted[0] + wanted[1] + wanted[2]) / 3;
  const grey = Math.max(0, Math.min(23, Math.round((average - 8) / 10)));
  const level = 8 + grey * 10;
  return distance([level, level, level]) < distance(cube)
    ? 232 + grey
    : 16 + 36 * index[0]! + 6 * index[1]! + index[2]!;
}

function colourCode(hex: string, depth: Depth): string {
  return depth === "all" ? `2;${rgb(hex).join(";")}` : `5;${nearest256(hex)}`;
}

/** The relative luminance of WCAG 2. */
function luminance(colour: readonly number[]): number {
  const [red = 0, green = 0, blue = 0] = colour.map((part) => {
    const share = part / 255;
    return share <= 0.03928 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** Text of this luminance has a contrast of 6:1 on white, which leaves a margin for the nearest of 256 colours. */
const readableOnWhite = 1.05 / 6 - 0.05;

/** The same hue, dark enough for text on a light background. */
function darkened(hex: string): string {
  let colour: readonly number[] = rgb(hex);
  while (luminance(colour) > readableOnWhite) colour = colour.map((part) => Math.floor(part * 0.95));
  return `#${colour.map((part) => part.toString(16).padStart(2, "0")).join("")}`;
}

function coloured(name: Theme["name"], palette: Palette, depth: Depth): Theme {
  const text = (hex: string): Style => between(`38;${colourCode(hex, depth)}`, "39");
  const pair = ([front, back]: readonly [string, string]): Style => {
    const [inner, outer] = [text(front), between(`48;${colourCode(back, depth)}`, "49")];
    return (part) => outer(inner(part));
  };
  const { dim, accent, success, warning, error, link, code, heading, border } = palette;
  const headingColour = text(heading);
  const isBright = palette === light || palette === contrastLight;
  const syntax = new Map(Object.entries(palette.syntax).map(([kind, hex]) => [kind, text(hex)]));
  return {
    ...{ name, bold, italic, underline, strike },
    ...{ dim: text(dim), accent: text(accent), success: text(success), warning: text(warning), error: text(error) },
    ...{ link: text(link), code: text(code), heading: (part) => bold(headingColour(part)), border: text(border) },
    ...{ added: pair(palette.added), removed: pair(palette.removed) },
    ...{ addedWord: pair(palette.addedWord), removedWord: pair(palette.removedWord) },
    ...{ selected: pair(palette.selected), found: pair(palette.found) },
    colour: (hex, part) => (isColour.test(hex) ? text(isBright ? darkened(hex) : hex)(part) : part),
    syntax: (kind, part) => syntax.get(kind)?.(part) ?? part,
  };
}

const [black, red, green, yellow, blue, magenta, cyan] = [30, 31, 32, 33, 34, 35, 36].map((code) =>
  between(String(code), "39"),
) as [Style, Style, Style, Style, Style, Style, Style];
const onYellow = between("43", "49");

const ansi: Readonly<Record<string, Style>> = {
  ...{ added: green, attribute: cyan, comment: italic, constant: blue, function: yellow, keyword: magenta, meta: cyan },
  ...{ number: cyan, property: cyan, removed: red, string: green, tag: blue, type: yellow },
};

/**
 * Uses the colours that the person chose for the terminal. Only the person knows which of them are readable, so important text never
 * relies on colour alone.
 */
const terminal: Theme = {
  ...{ name: "terminal", bold, italic, underline, strike },
  ...{ dim: between("2", "22"), accent: cyan, success: green, warning: yellow, error: red, link: blue, code: cyan },
  ...{ heading: bold, border: between("2", "22"), added: green, removed: red },
  ...{ addedWord: (text) => inverse(green(text)), removedWord: (text) => inverse(red(text)) },
  ...{ selected: inverse, found: (text) => onYellow(black(text)) },
  colour: (hex, text) => (isColour.test(hex) ? between(nearest16(hex), "39")(text) : text),
  syntax: (kind, text) => ansi[kind]?.(text) ?? text,
};

/** The nearest of the six hues, or none for a grey. */
function nearest16(hex: string): string {
  const parts = rgb(hex);
  const [most, least] = [Math.max(...parts), Math.min(...parts)];
  if (most - least < 32) return "39";
  const middle = (most + least) / 2;
  return String(30 + parts.reduce((bits, part, index) => bits + (part > middle ? 1 << index : 0), 0));
}

/** No colour: only bold, underlined and inverse text. */
const none: Theme = {
  ...{ name: "none", bold, italic, underline, strike, dim: same, accent: same, success: same, warning: same },
  ...{ error: same, link: same, code: same, heading: bold, border: same, added: same, removed: same },
  ...{ addedWord: underline, removedWord: underline, selected: inverse },
  found: (text) => inverse(underline(text)),
  colour: (_hex, text) => text,
  syntax: (_kind, text) => text,
};

export const themes: Readonly<Record<Theme["name"], Theme>> = {
  dark: coloured("dark", dark, "all"),
  light: coloured("light", light, "all"),
  contrast: coloured("contrast", contrastDark, "all"),
  terminal,
  none,
};

export interface ThemeChoice {
  /** The person's choice. Default: by the background. */
  readonly name?: Theme["name"] | undefined;
  /** Background colour of the terminal as `#rrggbb`. Unknown: dark. */
  readonly background?: string | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
}

export function themeFor({ name, background, env }: ThemeChoice): Theme {
  const colours = coloursOf(env);
  if (colours === "none" || name === "none") return none;
  if (colours === "16" || name === "terminal") return terminal;
  const bright = name === "light" || (name !== "dark" && background !== undefined && isBright(background));
  if (name === "contrast") return coloured("contrast", bright ? contrastLight : contrastDark, colours);
  return coloured(bright ? "light" : "dark", bright ? light : dark, colours);
}

function isBright(background: string): boolean {
  if (!isColour.test(background)) return false;
  const [red, green, blue] = rgb(background);
  return 0.299 * red + 0.587 * green + 0.114 * blue > 127;
}

const allColours = /-direct$|kitty|ghostty|alacritty|wezterm|foot|contour/;
const programs = new Set(["iTerm.app", "vscode", "WezTerm", "ghostty", "Hyper", "rio", "zed"]);

function coloursOf(env: ThemeChoice["env"]): Depth | "16" | "none" {
  const term = env["TERM"] ?? "";
  if ((env["NO_COLOR"] ?? "") !== "" || term === "dumb") return "none";
  if (/^(?:truecolor|24bit)$/i.test(env["COLORTERM"] ?? "") || allColours.test(term)) return "all";
  if (programs.has(env["TERM_PROGRAM"] ?? "") || env["WT_SESSION"] !== undefined) return "all";
  return term.includes("256") ? "256" : "16";
}
