/** The configured markdown-it parser: raw HTML stays text, bare URLs become links, and nesting is limited. */
import MarkdownIt, { type Env, type StateBlock, type StateInline, type Token } from "markdown-it";

/** Containers nested deeper than this stay text. A quote counts once, a list twice. */
const deepestLevel = 32;

/** `closeMarks` is set while the text streams: emphasis that is open at the end is shown as closed. */
export interface MarkdownEnv extends Env {
  readonly closeMarks?: boolean;
}

const parser = new MarkdownIt({ html: false, linkify: true });
// Keep every address as written; `safeAddress` decides which ones may be followed.
parser.validateLink = () => true;
const encodeAddress = parser.normalizeLink.bind(parser);
parser.normalizeLink = (address) => address;
parser.normalizeLinkText = (text) => text;
parser.linkify.set({ fuzzyLink: false, fuzzyEmail: false, fuzzyIP: false });
for (const scheme of ["ftp:", "mailto:", "//"]) parser.linkify.add(scheme, null);
parser.block.ruler.before("table", "too_deep", plainParagraph);
parser.inline.ruler.before("autolink", "line_break_tag", lineBreakTag);
parser.inline.ruler2.after("balance_pairs", "close_marks", closeMarks);

export { encodeAddress };

export function blockTokens(text: string, env: MarkdownEnv): Token[] {
  const tokens: Token[] = [];
  parser.block.parse(text, parser, env, tokens);
  return tokens;
}

export function inlineTokens(text: string, env: MarkdownEnv): readonly Token[] {
  return parser.parseInline(text, env)[0]?.children ?? [];
}

/** The label of an image as plain text. */
export function imageLabel({ children }: Token): string {
  return parser.renderer.renderInlineAsText(children ?? [], parser.options, {});
}

/** The first word of the info string. */
export function fenceLanguage({ info }: Token): string {
  const [language = ""] = parser.utils.unescapeAll(info).trim().split(/\s/, 1);
  return language.slice(0, 40).toLowerCase();
}

/** markdown-it drops content nested deeper than its `maxNesting`. Show it as text: an agent's text must not disappear. */
function plainParagraph(state: StateBlock, startLine: number, endLine: number, silent: boolean): boolean {
  if (state.level < deepestLevel) return false;
  if (silent) return true;
  let line = startLine + 1;
  while (line < endLine && !state.isEmpty(line) && state.sCount[line]! >= state.blkIndent) line++;
  state.line = line;
  state.push("paragraph_open", "p", 1).map = [startLine, line];
  const inline = state.push("inline", "", 0);
  inline.content = state.getLines(startLine, line, state.blkIndent, false).trim();
  inline.map = [startLine, line];
  inline.children = [];
  state.push("paragraph_close", "p", -1);
  return true;
}

const lineBreak = /<br *\/?>/iy;

/** `<br>` is the only tag that agents use on purpose, mostly in tables. */
function lineBreakTag(state: StateInline, silent: boolean): boolean {
  lineBreak.lastIndex = state.pos;
  const [found] = lineBreak.exec(state.src) ?? [];
  if (found === undefined) return false;
  if (!silent) state.push("hardbreak", "br", 0);
  state.pos += found.length;
  return true;
}

/** Adds the closing marks that are missing at the end of the text. */
function closeMarks(state: StateInline): boolean {
  const { delimiters, tokens } = state;
  if ((state.env as MarkdownEnv).closeMarks !== true) return false;
  const open: number[] = [];
  let covered = -1;
  delimiters.forEach((delimiter, index) => {
    const { end, marker, length = 0, token } = delimiter;
    if (end >= 0) covered = Math.max(covered, end);
    // A single mark within a word, such as `f(*args`, is rarely emphasis.
    else if (delimiter.open && index > covered && (marker === 126 || length === 2 || length === 3 || isApart(token)))
      open.push(index);
  });
  for (const index of open.reverse()) {
    const { marker, token } = delimiters[index]!;
    state.push("text", "", 0).content = tokens[token]!.content;
    delimiters[index]!.end = delimiters.length;
    delimiters.push({ marker, length: 0, token: tokens.length - 1, end: -1, open: false, close: true });
  }
  return true;

  function isApart(token: number): boolean {
    const before = tokens[token - 1];
    return before === undefined || before.type === "softbreak" || /\s$/.test(before.content);
  }
}
