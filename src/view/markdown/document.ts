/** Parses Markdown into blocks. When the text grows, blocks that later text cannot change are not parsed again. */
import type { Token } from "markdown-it";
import { printable } from "../../events/printable.ts";
import type { Block } from "./nodes.ts";
import { blockTokens, type MarkdownEnv } from "./parser.ts";
import { TreeBuilder, type Placed } from "./tree.ts";
import { isHalfLine, lastLeaf, withGuessedTable } from "./unfinished.ts";

/** Maximum number of nodes of a document; the text after them stays plain. */
const mostNodes = 20_000;

type References = NonNullable<MarkdownEnv["references"]>;

export interface MarkdownDocument {
  /** Settled blocks keep their object identity from one parse to the next. */
  readonly blocks: readonly Block[];
  /** The prefix of the text whose blocks later text cannot change. */
  readonly settledText: string;
  readonly settled: number;
  /** How many nodes may still follow the settled blocks. */
  readonly left: number;
  /** Link definitions of the settled text, as `[label]: address`. */
  readonly references: References;
  /** All definitions that the blocks were built with, for comparison. */
  readonly definitions: string;
}

interface MarkdownOptions {
  /** More text may come: show open marks as closed and hide half a mark. */
  readonly streaming?: boolean | undefined;
  /** The document parsed from an earlier prefix of this text. */
  readonly before?: MarkdownDocument | undefined;
}

const nothing: MarkdownDocument = {
  blocks: [],
  settledText: "",
  settled: 0,
  left: mostNodes,
  references: {},
  definitions: "{}",
};

export function markdownDocument(
  source: string,
  { streaming = false, before = nothing }: MarkdownOptions = {},
): MarkdownDocument {
  const text = printable(source);
  const kept = text.startsWith(before.settledText) ? before : nothing;
  const references = { ...kept.references };
  const env = { references };
  const whole = text.slice(kept.settledText.length);
  const parsed = streaming ? unfinishedTokens(whole, env) : { text: whole, tokens: blockTokens(whole, env), leaf: -1 };
  const definitions = JSON.stringify(references);
  // A definition may come after the blocks that use it.
  if (definitions !== kept.definitions && kept.settledText.includes("["))
    return markdownDocument(source, { streaming });
  const { tokens, leaf } = parsed;
  const builder = new TreeBuilder({ tokens, lines: parsed.text.split("\n"), env, left: kept.left, leaf });
  const placed = builder.placed();
  const blocks = [...kept.blocks.slice(0, kept.settled), ...blocksOf(placed)];
  const lines = whole.split("\n");
  const cut = settledUpTo(placed, lines);
  if (cut === undefined) return { ...kept, blocks, definitions };
  const { from, left } = placed[cut]!;
  return {
    blocks,
    settledText: text.slice(0, kept.settledText.length + lengthOf(lines, from)),
    settled: kept.settled + blocksOf(placed.slice(0, cut)).length,
    left,
    references: { ...kept.references, ...definedBefore(tokens, from, references) },
    definitions,
  };
}

function blocksOf(placed: readonly Placed[]): Block[] {
  return placed.flatMap(({ block }) => block ?? []);
}

/** Parses without the last line while it is still unclear what that line will become. */
function unfinishedTokens(whole: string, env: MarkdownEnv & { references: References }) {
  const known = { ...env.references };
  const parse = (text: string) => {
    const tokens = blockTokens(text, env);
    const leaf = lastLeaf(tokens, text.split("\n").length);
    const guessed = withGuessedTable(tokens, leaf, env);
    return { text, tokens: guessed, leaf: guessed === tokens ? leaf : guessed.findLastIndex(isLeaf) };
  };
  const parsed = parse(whole);
  const lastLine = whole.slice(whole.lastIndexOf("\n") + 1);
  if (!isHalfLine(lastLine) || parsed.tokens[parsed.leaf]?.type === "fence" || lastLine === "") return parsed;
  for (const label of Object.keys(env.references)) if (!(label in known)) delete env.references[label];
  return parse(whole.slice(0, whole.length - lastLine.length));
}

function isLeaf({ nesting }: Token): boolean {
  return nesting !== -1;
}

/** Index of the last block that later text cannot merge with the blocks before it. Undefined when there is none after the first. */
function settledUpTo(placed: readonly Placed[], lines: readonly string[]): number | undefined {
  const last = placed.length - 1;
  const halfLine = isHalfLine(lines.at(-1) ?? "");
  for (let at = last; at > 0; at--) {
    const { from, type } = placed[at]!;
    const before = placed[at - 1]!;
    if (["fence", "heading_open", "hr"].includes(before.type) && before.to === from) return at;
    if (lines[from - 1]?.trim() !== "") continue;
    if (at < last || from < lines.length - 2) return at;
    if (["paragraph_open", "heading_open", "fence"].includes(type) && !halfLine) return at;
  }
  return undefined;
}

function lengthOf(lines: readonly string[], count: number): number {
  let length = count;
  for (let at = 0; at < count; at++) length += lines[at]!.length;
  return length;
}

function definedBefore(tokens: readonly Token[], line: number, references: References): References {
  const found: References = {};
  for (const { type, map, meta } of tokens)
    if (type === "reference_definition" && map![0] < line) {
      const label = String(meta!["label"]);
      found[label] = references[label]!;
    }
  return found;
}
