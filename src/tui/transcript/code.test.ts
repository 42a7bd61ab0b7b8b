import { beforeAll, expect, test } from "vitest";
import { loadHighlighter, type Highlighter } from "../../view/highlight/index.ts";
import { themeFor } from "../themes.ts";
import type { Look } from "./block.ts";
import { codeLines, type GrowingCode } from "./code.ts";

let highlight: Highlighter;
let coloured = 0;

beforeAll(async () => {
  const real = await loadHighlighter();
  highlight = (code, language) => {
    coloured += code.split("\n").length;
    return real(code, language);
  };
});

const theme = themeFor({
  name: "dark",
  background: undefined,
  env: { TERM: "xterm-256color", COLORTERM: "truecolor" },
});
const look = (): Look => ({ width: 80, theme, unfolded: new Set(), expandAll: false, foldTurns: true, highlight });

/** Feeds the code one line at a time. */
function grown(code: string): GrowingCode {
  let before: GrowingCode | undefined;
  for (let end = code.indexOf("\n"); end !== -1; end = code.indexOf("\n", end + 1))
    before = codeLines(code.slice(0, end + 1), { look: look(), language: "ts", open: true, before });
  return before!;
}

const texts = ({ lines }: GrowingCode): readonly string[] => lines.map(({ text }) => text);

test("keeps the colour of a long comment while code grows", () => {
  const code = `/*\n${"  words const 1\n".repeat(40)}*/\nconst a = 1;\n`;
  const whole = codeLines(code, { look: look(), language: "ts", open: false });
  expect(texts(grown(code))).toEqual(texts(whole));
});

test("colours each new line with only a few lines before it", () => {
  coloured = 0;
  grown("const value = compute(1);\n".repeat(1_000));
  expect(coloured).toBeLessThanOrEqual(1_000 * 9);
});

test("colours finished code as a whole, and then keeps its lines", () => {
  const code = `const a = \`\n${"text\n".repeat(100)}\`;\nconst b = 2;\n`;
  const before = grown(code);
  const ended = codeLines(code, { look: look(), language: "ts", open: false, before });
  expect(texts(ended)).toEqual(texts(codeLines(code, { look: look(), language: "ts", open: false })));
  expect(codeLines(code, { look: look(), language: "ts", open: false, before: ended })).toBe(ended);
});
