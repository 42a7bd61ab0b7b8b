import fc from "fast-check";
import { expect, test } from "vitest";
import { Screen } from "./screen.ts";

async function shown(output: string, columns = 20, rows = 5): Promise<Screen> {
  const screen = await Screen.create({ columns, rows });
  await screen.write(Buffer.from(output));
  return screen;
}

test("shows text, the cursor and scrolled-out lines", async () => {
  const screen = await shown("one\r\ntwo\r\nthree\r\nfour\r\nfive\r\nsix");
  expect(screen.text).toBe("two\nthree\nfour\nfive\nsix");
  expect(screen.fullText).toBe("one\ntwo\nthree\nfour\nfive\nsix");
  expect(screen.cursor).toEqual({ column: 3, row: 4 });
  expect(screen.pending).toBe(0);
});

test("limits the scrollback", async () => {
  const screen = await Screen.create({ columns: 10, rows: 2, scrollback: 3 });
  await screen.write(Buffer.from(Array.from({ length: 100 }, (_, index) => `${index}`).join("\r\n")));
  expect(screen.fullText).toBe("95\n96\n97\n98\n99");
});

test("passes on the terminal's replies", async () => {
  const screen = await Screen.create({ columns: 10, rows: 2 });
  const replies: string[] = [];
  screen.onReply((reply) => replies.push(reply));
  await screen.write(Buffer.from("ab\x1b[6n"));
  expect(replies).toEqual(["\x1b[1;3R"]);
});

test.each([
  ["plain", "hello\r\n  world"],
  ["colours and styles", "\x1b[1;31mred\x1b[0m \x1b[48;5;200mbg\x1b[38;2;1;2;3mrgb\x1b[7minv\x1b[0m\x1b[4;3;9mx"],
  ["a full row", "x".repeat(20)],
  ["wide characters", "漢字漢字漢字漢字漢字漢字 é 👍"],
  ["the alternate screen", "before\x1b[?1049h\x1b[2J\x1b[3;4Hinside\x1b[?25l"],
  ["scrollback", Array.from({ length: 30 }, (_, index) => `line ${index}`).join("\r\n")],
  ["a styled blank at the end of a row", "\r\n!\x1b[5A\x1b[31m "],
  ["a coloured background to the end of a row", "\x1b[44mblue\x1b[K"],
])("redraws the same screen: %s", async (_, output) => {
  const one = await shown(output);
  const other = await shown(one.redraw());
  expect(other.fullText).toBe(one.fullText);
  expect(other.cursor).toEqual(one.cursor);
  expect(other.redraw()).toBe(one.redraw());
  expect(other.restore).toBe(one.restore);
});

test("redraws any output to the same screen, with harmless sequences only", async () => {
  const piece = fc.oneof(
    fc.string({ unit: "grapheme", maxLength: 30 }),
    fc.constantFrom("\r\n", "\x1b[2J", "\x1b[H", "\x1b[3;3H", "\x1b[31m", "\x1b[0m", "\x1b[?1049h", "\x1b[?1049l"),
    fc.constantFrom(
      "\x1b]52;c;aGk=\x07",
      "\x1b]0;title\x07",
      "\x1b[c",
      "\x1b[6n",
      "\x1bP+q\x1b\\",
      "\t",
      "\b",
      "\x1b[5A",
    ),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(piece, { maxLength: 20 }), async (pieces) => {
      const one = await shown(pieces.join(""));
      const redrawn = one.redraw();
      const other = await shown(redrawn);
      // A cell with a style and no character is drawn as a blank, which looks the same at the end of a row.
      const rows = (screen: Screen): readonly string[] => screen.rows.map((row) => row.trimEnd());
      expect(rows(other)).toEqual(rows(one));
      expect(redrawn).not.toMatch(/\x1b(?![[=])|\x1b\[[\d;?>]*[cn]/);
    }),
    { numRuns: 60 },
  );
});

test("takes each line once, joins wrapped lines, and returns the text before the cursor as the prompt line", async () => {
  const screen = await Screen.create({ columns: 10, rows: 3 });
  await screen.write(Buffer.from("first\r\n0123456789abc\r\n> "));
  expect([screen.takeLines(), screen.promptLine]).toEqual([["first", "0123456789abc"], "> "]);
  await screen.write(Buffer.from("typed in a long line"));
  expect([screen.takeLines(), screen.promptLine]).toEqual([[], "> typed in a long line"]);
  await screen.write(Buffer.from("\r\n".repeat(5)));
  expect(screen.takeLines()).toEqual(["> typed in a long line", "", "", "", ""]);
  // A cleared screen has no more lines to take.
  await screen.write(Buffer.from("gone\x1b[2J\x1b[H> "));
  expect([screen.takeLines(), screen.promptLine]).toEqual([[], "> "]);
  await screen.write(Buffer.from("x\r\n"));
  expect(screen.takeLines()).toEqual(["> x"]);
});
