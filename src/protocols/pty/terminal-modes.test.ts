import { expect, test } from "vitest";
import { TerminalModes } from "./terminal-modes.ts";

const clean = "\x1b7\x1b[r\x1b8\x1b[0m\x1b(B";

function modesOf(...pieces: string[]): TerminalModes {
  const modes = new TerminalModes();
  for (const piece of pieces) modes.push(piece);
  return modes;
}

test.each([
  ["nothing", "hello \x1b[31mred\x1b[0m", "", ""],
  [
    "the alternate screen is entered first and left last",
    "\x1b[?2004h\x1b[?1049h",
    "\x1b[?1049h\x1b[?2004h",
    "\x1b[?2004l\x1b[?1049l",
  ],
  ["several modes in one sequence", "\x1b[?1000;1006h", "\x1b[?1000h\x1b[?1006h", "\x1b[?1000l\x1b[?1006l"],
  ["a hidden cursor is shown again", "\x1b[?25l", "\x1b[?25l", "\x1b[?25h"],
  ["a mode that was left again", "\x1b[?1049h\x1b[?25l\x1b[?25h\x1b[?1049l", "", ""],
  ["the kitty keyboard", "\x1b[>1u\x1b[>5u\x1b[<u", "\x1b[>1u", "\x1b[<1u"],
  ["more popped than pushed", "\x1b[>1u\x1b[<9u", "", ""],
  ["other keys and the keypad", "\x1b[>4;2m\x1b=", "\x1b[>4;2m\x1b=", "\x1b[>4;0m\x1b>"],
  ["a full reset", "\x1b[?1049h\x1b[>1u\x1b=\x1bc", "", ""],
  ["synchronised output is never switched on again, but off", "\x1b[?2026h", "", "\x1b[?2026l"],
])("%s", (_, output, enable, disable) => {
  expect(modesOf(output).enable()).toBe(enable);
  expect(modesOf(output).disable()).toBe(clean + disable);
  // The result must not depend on where the output is cut.
  expect(modesOf(...Array.from(output)).enable()).toBe(enable);
});

test("limits the number of unknown modes it remembers", () => {
  const modes = new TerminalModes();
  for (let mode = 3000; mode < 9000; mode++) modes.push(`\x1b[?${mode}h\x1b[>1u`);
  expect(modes.enable().length).toBeLessThan(2_000);
});
