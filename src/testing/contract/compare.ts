import type { Capabilities } from "../../events/capabilities.ts";
import { holds, type Condition } from "./check.ts";
import type { Line } from "./notation.ts";

/**
 * A row of the table of expected events: lines (see `notation.ts`) joined by ` · `, or rows that apply under a condition. In a line,
 * `a|b` matches either, `…` after a tool's colon matches any fate or the beginning of one, and `not done` any other outcome. `…` alone
 * matches any lines, and a line that begins with `?` may be missing; use both only where an undeclared capability leaves the outcome open.
 */
export type Row =
  | string
  | { readonly if: Condition; readonly rows: readonly Row[]; readonly else?: readonly Row[] | undefined };

export interface CompareOptions {
  readonly can: Capabilities;
  /** Changed files cannot be checked, so a missing `files` line is no difference. */
  readonly filesUnseen?: boolean | undefined;
  /** The model is a live one: ignore its thoughts, its text and how often it reads files. */
  readonly spoken?: boolean | undefined;
}

/** Describes the first difference in one sentence; undefined when there is none. */
export function difference(rows: readonly Row[], said: readonly Line[], options: CompareOptions): string | undefined {
  const meant = new Set(everyRow(rows).map(firstWord));
  const counts = ({ quiet, text }: Line): boolean => quiet !== true || meant.has(firstWord(text));
  const isItsOwn = (text: string, beside: boolean): boolean =>
    options.spoken === true &&
    (/^\??(?:thought|message)\b/.test(text) || (beside && isLook.test(text) && !meant.has(firstWord(text))));
  const lines = said.filter((line) => counts(line) && !isItsOwn(line.text, true));
  const wanted = chosen(rows, options).filter((row) => !isItsOwn(row, false));
  let furthest = 0;
  const matches = (row: number, line: number): boolean => {
    furthest = Math.max(furthest, line);
    const pattern = wanted[row];
    if (pattern === undefined) return line === lines.length;
    if (pattern === "…") return matches(row + 1, line) || (line < lines.length && matches(row, line + 1));
    const here = lines[line];
    if (options.can.overtakes === true)
      for (const count of [1, 2])
        if (overtaken(wanted.slice(row, row + count + 1), lines.slice(line, line + count + 1)))
          if (matches(row + count + 1, line + count + 1)) return true;
    if (here !== undefined && matchesLine(pattern.replace(/^\?/, ""), here) && matches(row + 1, line + 1)) return true;
    const optional = pattern.startsWith("?") || (options.filesUnseen === true && pattern.startsWith("files "));
    return optional && matches(row + 1, line);
  };
  if (matches(0, 0)) return undefined;
  const here = lines[furthest];
  const detail = here?.detail === undefined ? "" : ` (${here.detail.slice(0, 200)})`;
  const got = here === undefined ? "it ended" : `\`${here.text}\`${detail} came`;
  const whole = lines.map(inFull).join(" · ");
  return `After ${furthest} steps ${got}; expected was ${wanted.join(" · ")}, and it was ${whole || "nothing"}.`;
}

const isLook = /^(?:read|list|glob|grep|plan): completed$/;

/** Adds the error message to a failed line, because the failure cannot be inspected later on another machine. */
const inFull = ({ text, detail }: Line): string =>
  /(?:^|[:,] )failed /.test(text) && detail !== undefined ? `${text} (${detail.slice(0, 300)})` : text;

/** True when a call came before the text, or before the thought and the text, that leads to it. */
function overtaken(wanted: readonly string[], [first, ...rest]: readonly Line[]): boolean {
  const [call, words] = [wanted.at(-1), wanted.slice(0, -1)];
  if (call === undefined || first === undefined || rest.length < words.length) return false;
  if (!/^\w+: /.test(first.text) || !matchesLine(call, first)) return false;
  return words.every((word, index) => /^(?:thought|message)/.test(word) && matchesLine(word, rest[index]!));
}

function chosen(rows: readonly Row[], options: CompareOptions): string[] {
  return rows.flatMap((row) => {
    if (typeof row === "string") return row.split(" · ");
    return chosen((holds(row.if, options.can) ? row.rows : row.else) ?? [], options);
  });
}

function everyRow(rows: readonly Row[]): string[] {
  return rows.flatMap((row) =>
    typeof row === "string" ? row.split(" · ") : everyRow([...row.rows, ...(row.else ?? [])]),
  );
}

const firstWord = (text: string): string => /^\??(\S+)/.exec(text)?.[1] ?? "";

function matchesLine(row: string, line: Line): boolean {
  if (row.startsWith('message "')) return line.full === row;
  if (row === "not done") return /^(cancelled|refused|max_|budget|interrupted|failed)/.test(line.text);
  return patternOf(row).test(line.text);
}

function patternOf(row: string): RegExp {
  const words = row.split(" ").map((word) => {
    if (word === "…") return word;
    const [, choice = "", rest = ""] = /^([^,:]*)([,:]?)$/.exec(word) ?? ["", word, ""];
    const either = choice.split("|").map((one) => one.replaceAll(/[.*+?^${}()[\]\\]/g, "\\$&"));
    return `(?:${either.join("|")})${rest}`;
  });
  return new RegExp(
    `^${words
      .join(" ")
      .replace(/(^| )… /, "$1(?:.* )?")
      .replace(/…$/, ".*")}$`,
  );
}
