/** Parses one key from one complete sequence: legacy escape sequences, kitty CSI u, modifyOtherKeys. */
import type { Key } from "../key.ts";

interface Modifiers {
  readonly shift: boolean;
  readonly alt: boolean;
  readonly ctrl: boolean;
}
const plain: Modifiers = { shift: false, alt: false, ctrl: false };

const byFinal: Readonly<Record<string, string>> = {
  A: "up",
  B: "down",
  C: "right",
  D: "left",
  E: "begin",
  F: "end",
  H: "home",
  M: "enter",
  P: "f1",
  Q: "f2",
  R: "f3",
  S: "f4",
  Z: "tab",
};

const byNumber: Readonly<Record<number, string>> = {
  1: "home",
  2: "insert",
  3: "delete",
  4: "end",
  5: "pageup",
  6: "pagedown",
  7: "home",
  8: "end",
  ...Object.fromEntries([11, 12, 13, 14, 15, 17, 18, 19, 20, 21, 23, 24].map((code, index) => [code, `f${index + 1}`])),
};

/** Code points that kitty assigns to keys without a character; keypad keys count as the keys they stand for. */
const byKittyCode: Readonly<Record<number, string>> = {
  9: "tab",
  13: "enter",
  27: "escape",
  127: "backspace",
  57414: "enter",
  57417: "left",
  57418: "right",
  57419: "up",
  57420: "down",
  57421: "pageup",
  57422: "pagedown",
  57423: "home",
  57424: "end",
  57425: "insert",
  57426: "delete",
  57427: "begin",
  ...Object.fromEntries(Array.from({ length: 23 }, (_, index) => [57376 + index, `f${index + 13}`])),
};
const keypad = "0123456789./*-+";
const keypadFirst = 57399;
/** Kitty keeps its other keys (lock, modifier and media keys) in this private area. */
const isKittyPrivate = (code: number): boolean => code >= 57344 && code <= 63743;

const controlNames: Readonly<Record<number, readonly [string, ctrl: boolean]>> = {
  0x00: ["space", true],
  0x08: ["backspace", false],
  0x09: ["tab", false],
  0x0d: ["enter", false],
  0x1b: ["escape", false],
  0x1c: ["\\", true],
  0x1d: ["]", true],
  0x1e: ["^", true],
  0x1f: ["_", true],
  0x7f: ["backspace", false],
};

/** A key that types one character, or that character with Alt. */
export function characterKey(text: string, { alt }: { readonly alt: boolean } = plain): Key {
  const code = text.charCodeAt(0);
  if (text.length === 1 && (code < 0x20 || code === 0x7f)) {
    const [name, ctrl] = controlNames[code] ?? [String.fromCharCode(code + 0x60), true];
    return { name, ctrl, alt, shift: false };
  }
  if (text === " ") return { name: "space", ctrl: false, alt, shift: false, ...(alt ? {} : { text }) };
  const lower = text.toLowerCase();
  return { name: lower, ctrl: false, alt, shift: lower !== text, ...(alt ? {} : { text }) };
}

const csiKey = /^\x1b\[([\d:;]*)([A-Za-z~])$/;

/** The key of a complete CSI or SS3 sequence; undefined for a release, a lone modifier, and anything that is not a key. */
export function sequenceKey(sequence: string): Key | undefined {
  const console = /^\x1b\[\[([A-E])$/.exec(sequence);
  if (console?.[1]) return named(`f${console[1].charCodeAt(0) - 64}`, plain);
  const ss3 = /^\x1bO(\d*)([A-Za-z])$/.exec(sequence);
  if (ss3) {
    const name = byFinal[ss3[2] ?? ""];
    return name === undefined || name === "tab" ? undefined : named(name, modifiers(Number(ss3[1] || 1)) ?? plain);
  }
  const csi = csiKey.exec(sequence);
  if (!csi) return undefined;
  const [first = [], second = [], third = []] = (csi[1] ?? "").split(";").map((field) => field.split(":").map(Number));
  const final = csi[2] ?? "";
  if (final === "~" && first[0] === 27) return codeKey(third, second, []);
  if (final === "u") return codeKey(first, second, third);
  const held = pressed(second);
  if (!held) return undefined;
  if (final === "Z") return named("tab", { ...held, shift: true });
  const name = final === "~" ? byNumber[first[0] ?? 0] : byFinal[final];
  return name === undefined ? undefined : named(name, held);
}

function named(name: string, { shift, alt, ctrl }: Modifiers): Key {
  return { name, ctrl, alt, shift };
}

/** Modifiers of a press or a repeat; undefined for a release, or with Super or Hyper, which belong to the window manager. */
function pressed([bits = 1, event = 1]: readonly number[]): Modifiers | undefined {
  return event === 3 ? undefined : modifiers(bits || 1);
}

function modifiers(value: number): Modifiers | undefined {
  const bits = value - 1;
  if (bits & 0b01_1000) return undefined;
  return { shift: (bits & 1) !== 0, alt: (bits & 0b10_0010) !== 0, ctrl: (bits & 4) !== 0 };
}

/** `[key, shifted key, key of the US layout]`, `[modifiers, event]`, typed code points. */
function codeKey(codes: readonly number[], held: readonly number[], typed: readonly number[]): Key | undefined {
  const state = pressed(held);
  if (!state) return undefined;
  const [code = 0, shifted = 0, latin = 0] = codes;
  const name = byKittyCode[code];
  if (name !== undefined) return named(name, state);
  const digit = keypad[code - keypadFirst];
  if ((isKittyPrivate(code) && digit === undefined) || code < 32 || code > 0x10ffff) return undefined;
  const { shift, alt, ctrl } = state;
  const character = digit ?? String.fromCodePoint(code);
  if (ctrl || alt) {
    // On a Cyrillic or Greek layout Ctrl+С has to be Ctrl+C.
    const base = code > 127 && latin > 32 && latin < 127 ? String.fromCharCode(latin) : character;
    return {
      name: base === " " ? "space" : base.toLowerCase(),
      ctrl,
      alt,
      shift: shift || base !== base.toLowerCase(),
    };
  }
  const known = typed.filter((point) => point >= 32 && point <= 0x10ffff);
  const text =
    known.length > 0
      ? String.fromCodePoint(...known)
      : shift
        ? shifted >= 32 && shifted <= 0x10ffff
          ? String.fromCodePoint(shifted)
          : character.toUpperCase()
        : character;
  return text === " " ? { name: "space", ctrl, alt, shift, text } : characterKey(text);
}
