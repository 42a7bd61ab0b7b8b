import { describe, expect, test } from "vitest";
import { XtermPort } from "../../../test/support/xterm-port.ts";
import { keyName, type TerminalInput } from "../key.ts";
import { TerminalInputReader } from "./input.ts";

async function inputs(...pieces: readonly string[]): Promise<readonly TerminalInput[]> {
  const seen: TerminalInput[] = [];
  const port = new XtermPort();
  const reader = new TerminalInputReader(port, (input) => seen.push(input));
  reader.start();
  for (const piece of pieces) port.type(piece);
  // Longer than the reader waits for the rest of a sequence.
  await new Promise((resolve) => setTimeout(resolve, 150));
  reader.stop();
  return seen;
}

const names = (seen: readonly TerminalInput[]): string =>
  seen
    .map((input) =>
      input.kind === "key"
        ? `${keyName(input.key)}${input.key.text === undefined ? "" : `=${input.key.text}`}`
        : input.kind,
    )
    .join(" ");

describe("keys", () => {
  test.each([
    ["a", "a=a"],
    ["A", "a=A"],
    [" ", "space= "],
    ["?", "?=?"],
    ["é漢👩‍👩‍👧🇩🇪", "é=é 漢=漢 👩‍👩‍👧=👩‍👩‍👧 🇩🇪=🇩🇪"],
    ["\r", "enter"],
    ["\n", "ctrl+j"],
    ["\t", "tab"],
    ["\x7f", "backspace"],
    ["\x00", "ctrl+space"],
    ["\x03\x1a", "ctrl+c ctrl+z"],
    ["\x1f", "ctrl+_"],
    ["\x1b", "escape"],
    ["\x1b\x1b", "escape escape"],
    ["\x1bb", "alt+b"],
    ["\x1bB", "alt+shift+b"],
    ["\x1b\r", "alt+enter"],
    ["\x1b\x7f", "alt+backspace"],
    ["\x1b[", "alt+["],
    ["\x1b]", "alt+]"],
    ["\x1bO", "alt+shift+o"],
    ["\x1b[A\x1bOB", "up down"],
    ["\x1b[1;5C\x1b[1;2D\x1b[1;3A", "ctrl+right shift+left alt+up"],
    ["\x1b\x1b[A", "alt+up"],
    ["\x1b[H\x1b[F\x1b[1~\x1b[4~", "home end home end"],
    ["\x1b[3~\x1b[5~\x1b[6;5~", "delete pageup ctrl+pagedown"],
    ["\x1b[Z", "shift+tab"],
    ["\x1bOP\x1b[15~\x1b[24;2~\x1b[[A", "f1 f5 shift+f12 f1"],
    ["\x1b[13;2u", "shift+enter"],
    ["\x1b[27;2;13~", "shift+enter"],
    ["\x1b[27u", "escape"],
    ["\x1b[99;5u", "ctrl+c"],
    ["\x1b[1089::99;5u", "ctrl+c"],
    ["\x1b[97:65;2u", "a=A"],
    ["\x1b[1089;1u", "с=с"],
    ["\x1b[97;1:3u\x1b[1;1:3A", ""],
    ["\x1b[97;1:2u", "a=a"],
    ["\x1b[57441;2u", ""],
    ["\x1b[57400u", "1=1"],
    ["\x1b[99;9u", ""],
    ["\x1b[1;1u", ""],
    ["\x1b[?62;22c\x1b[?5u\x1b]11;rgb:0/0/0\x07\x1b[?2026;2$y", ""],
    ["\x1b[I\x1b[O", "focus focus"],
  ])("reads %j as %s", async (bytes, expected) => {
    expect(names(await inputs(bytes))).toBe(expected);
  });

  test("reads a sequence that is split at any place", async () => {
    const bytes = "\x1b[1;5C";
    for (let at = 1; at < bytes.length; at++) {
      expect(names(await inputs(bytes.slice(0, at), bytes.slice(at)))).toBe("ctrl+right");
    }
  });
});

test("mouse: reads the left button and the wheel, zero-based", async () => {
  const seen = await inputs("\x1b[<0;1;2M\x1b[<36;3;2M\x1b[<0;3;2m\x1b[<64;9;9M\x1b[<65;9;9M\x1b[<2;1;1M\x1b[<35;1;1M");
  expect(seen).toEqual([
    { kind: "mouse", action: "press", column: 0, row: 1, shift: false },
    { kind: "mouse", action: "drag", column: 2, row: 1, shift: true },
    { kind: "mouse", action: "release", column: 2, row: 1, shift: false },
    { kind: "mouse", action: "wheelup", column: 8, row: 8, shift: false },
    { kind: "mouse", action: "wheeldown", column: 8, row: 8, shift: false },
  ]);
});

describe("paste", () => {
  test("keeps a paste byte for byte, split at any place", async () => {
    const text = "a\tb\x1b[31m\x00\r\nc";
    const bytes = `x\x1b[200~${text}\x1b[201~y`;
    for (let at = 1; at < bytes.length; at++) {
      const seen = inputsNow(bytes.slice(0, at), bytes.slice(at));
      expect(seen.find((input) => input.kind === "paste")).toEqual({ kind: "paste", text });
      expect(names(seen)).toBe("x=x paste y=y");
    }
  });

  test("reads a CR sent by the terminal as a newline", async () => {
    expect(inputsNow("\x1b[200~a\rb\x1b[201~")).toEqual([{ kind: "paste", text: "a\nb" }]);
  });

  test("handles 1 MB in small pieces quickly", async () => {
    const text = "0123456789abcde\n".repeat(65_536);
    const bytes = `\x1b[200~${text}\x1b[201~`;
    const pieces = Array.from({ length: Math.ceil(bytes.length / 1024) }, (_, at) =>
      bytes.slice(at * 1024, at * 1024 + 1024),
    );
    const before = process.cpuUsage();
    const seen = inputsNow(...pieces);
    const { user, system } = process.cpuUsage(before);
    expect(seen).toEqual([{ kind: "paste", text }]);
    expect((user + system) / 1e6).toBeLessThan(0.5);
  });

  test("without brackets, reads many lines at once as one paste, but not a typed line", async () => {
    const text = "line\r".repeat(100);
    expect(await inputs(text, "rest\r")).toEqual([{ kind: "paste", text: "line\n".repeat(100) + "rest\n" }]);
    expect(names(await inputs("hi\r"))).toBe("h=h i=i enter");
  });
});

/** Reads without waiting for the rest of a sequence. */
function inputsNow(...pieces: readonly string[]): readonly TerminalInput[] {
  const seen: TerminalInput[] = [];
  const reader = new TerminalInputReader(new XtermPort(), (input) => seen.push(input));
  for (const piece of pieces) reader.feed(piece);
  reader.stop();
  return seen;
}

describe("background", () => {
  test.each([
    ["\x1b]11;rgb:1e1e/2020/3030\x1b\\\x1b[?1c", "#1e2030"],
    ["\x1b]11;rgb:f/f/f\x07", "#ffffff"],
    ["\x1b[?62;4c", undefined],
  ])("reads %j as %s", async (reply, colour) => {
    const port = new XtermPort();
    const reader = new TerminalInputReader(port, () => {});
    reader.start();
    const asked = reader.queryBackground(60_000);
    port.type(reply);
    expect(await asked).toBe(colour);
    reader.stop();
  });
});
