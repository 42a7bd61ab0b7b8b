/** Splits a prompt into steps and words; quotes keep a part together. */

/**
 * The position at which the quotes that open at `start` close; an apostrophe inside a word opens nothing. `hopeless`
 * remembers the quotes that never close, so that a long prompt full of them is not searched repeatedly.
 */
function closingQuote(text: string, start: number, hopeless: Set<string> = new Set()): number | undefined {
  const quote = text[start];
  if ((quote !== '"' && quote !== "'") || hopeless.has(quote) || !/^[\s;=]?$/.test(text[start - 1] ?? ""))
    return undefined;
  for (let index = start + 1; index < text.length; index++) {
    if (quote === '"' && text[index] === "\\") index++;
    else if (text[index] === quote && /^[\s;]?$/.test(text[index + 1] ?? "")) return index;
  }
  hopeless.add(quote);
  return undefined;
}

function inside(text: string, start: number, end: number): string {
  const content = text.slice(start + 1, end);
  return text[start] === '"' ? content.replace(/\\(["\\])/g, "$1") : content;
}

/** The parts between semicolons, trimmed, without empty ones; quotes stay. */
export function splitSteps(text: string): string[] {
  const parts = [""];
  const hopeless = new Set<string>();
  for (let index = 0; index < text.length; index++) {
    const end = closingQuote(text, index, hopeless);
    if (end === undefined && text[index] === ";") parts.push("");
    else parts[parts.length - 1] += text.slice(index, (end ?? index) + 1);
    index = end ?? index;
  }
  return parts.map((part) => part.trim()).filter((part) => part !== "");
}

/** The words of a command line, without their quotes. Variables, globs and pipes have no meaning. */
export function splitWords(text: string): string[] {
  const words: string[] = [];
  let word: string | undefined;
  const hopeless = new Set<string>();
  for (let index = 0; index < text.length; index++) {
    const end = closingQuote(text, index, hopeless);
    if (end !== undefined) {
      word = (word ?? "") + inside(text, index, end);
      index = end;
    } else if (/\s/.test(text[index] as string)) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else word = (word ?? "") + text[index];
  }
  if (word !== undefined) words.push(word);
  return words;
}

/** The first word, without its quotes, and the rest unchanged. */
export function firstWord(text: string): { word: string; rest: string } {
  const quoted = closingQuote(text, 0);
  if (quoted !== undefined) return { word: inside(text, 0, quoted), rest: text.slice(quoted + 1).trim() };
  const end = text.search(/\s/);
  return end < 0 ? { word: text, rest: "" } : { word: text.slice(0, end), rest: text.slice(end).trim() };
}

export function unquote(text: string): string {
  const end = closingQuote(text, 0);
  return end !== undefined && end === text.length - 1 ? inside(text, 0, end) : text;
}
