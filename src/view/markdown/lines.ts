/** What a line begins. Patterns are anchored, and none looks at the same letters twice: a line may be a megabyte. */
const fenceMark = /^( *)(`{3,}|~{3,})([^`]*)$/;
const itemMark = /^( *)([-*+]|\d{1,9}[.)])([ \t]+|$)/;
const ruleMark = /^ {0,3}(?:-[ -]*|\*[ *]*|_[ _]*)$/;
const headingMark = /^ {0,3}(#{1,6})(?:[ \t]|$)/;
const quoteMark = /^ {0,3}> ?/;
const delimiterMark = /^ *\|?(?: *:?-+:? *\|)* *(?::?-+:? *)?$/;
/** What may still become something else before its line is over. */
const half = /^[ >]*(?:#{1,6}|`{1,2}|~{1,2}|\*{1,2}|_{1,2}|[-+]|\d{1,9}[.)]?|\|)? *$/;
const halfTask = /^[ >]*(?:[-*+]|\d{1,9}[.)]) +\[(?:[ xX]\]?)? *$/;

export interface Fence {
  readonly indent: number;
  readonly marks: string;
  readonly language: string;
}

export function fenceOf(line: string): Fence | undefined {
  const [, indent, marks, info = ""] = fenceMark.exec(line) ?? [];
  if (marks === undefined) return undefined;
  return { indent: indent!.length, marks, language: /^[\w+#.-]{1,40}/.exec(info.trim())?.[0].toLowerCase() ?? "" };
}

export function closes(line: string, marks: string): boolean {
  const plain = line.trim();
  return plain.length >= marks.length && plain.length < 1000 && plain === marks[0]!.repeat(plain.length);
}

export interface Mark {
  readonly indent: number;
  readonly ordered: boolean;
  readonly letter: string;
  readonly start: number;
  /** Where its text begins. */
  readonly content: number;
  readonly empty: boolean;
}

export function itemOf(line: string): Mark | undefined {
  const [whole, indent, mark, space] = itemMark.exec(line) ?? [];
  if (whole === undefined || isRule(line)) return undefined;
  const begin = indent!.length + mark!.length;
  const empty = whole.length === line.length;
  const ordered = mark!.length > 1;
  return {
    indent: indent!.length,
    ordered,
    letter: mark!.at(-1)!,
    start: ordered ? Number.parseInt(mark!, 10) : 0,
    content: empty || space!.length > 4 ? begin + 1 : whole.length,
    empty,
  };
}

export function isRule(line: string): boolean {
  return ruleMark.test(line) && line.replaceAll(" ", "").length >= 3;
}

export function headingOf(line: string): { level: number; text: string } | undefined {
  const [whole, marks] = headingMark.exec(line) ?? [];
  if (whole === undefined) return undefined;
  const text = line.slice(whole.length).trim();
  let end = text.length;
  while (text[end - 1] === "#") end--;
  return { level: marks!.length, text: end === 0 || text[end - 1] === " " ? text.slice(0, end).trimEnd() : text };
}

export function quoteOf(line: string): number {
  return quoteMark.exec(line)?.[0].length ?? 0;
}

export function isDelimiter(line: string): boolean {
  return line.includes("-") && line.includes("|") && delimiterMark.test(line);
}

export function isHalf(line: string): boolean {
  return line.length < 40 && (half.test(line) || halfTask.test(line));
}

export function indentOf(line: string): number {
  let indent = 0;
  while (line[indent] === " ") indent++;
  return indent;
}

/** Without so much of the space it begins with. */
export function outdent(line: string, by: number): string {
  return line.slice(Math.min(by, indentOf(line)));
}
