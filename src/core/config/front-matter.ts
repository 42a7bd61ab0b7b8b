/** Parses the front matter of a Markdown file: YAML between two `---` lines at its start. The YAML parser is loaded only when needed. */
import type * as Yaml from "yaml";
import type { Document, ErrorCode, LineCounter, Scalar, YAMLError, YAMLMap } from "yaml";
import type { LineOf } from "./schema-errors.ts";

export interface FrontMatter {
  readonly values: Readonly<Record<string, unknown>>;
  readonly body: string;
  readonly lineOf: LineOf;
}

/** The YAML parser takes a quarter of a second for thousands of keys. */
const mostBytes = 64_000;

/** Throws one sentence that names the line. */
export async function parseFrontMatter(text: string): Promise<FrontMatter> {
  const lines = text.replace(/^\uFEFF/, "").split(/\r?\n/);
  if (lines[0]?.trimEnd() !== "---") throw new Error("it has no front matter: it must begin with a line `---`.");
  const end = lines.findIndex((line, index) => index > 0 && line.trimEnd() === "---");
  if (end === -1) throw new Error("its front matter does not end: a second line `---` is missing.");
  const head = `${lines.slice(1, end).join("\n")}\n`;
  if (Buffer.byteLength(head) > mostBytes)
    throw new Error(`its front matter is larger than ${mostBytes / 1000} kilobytes.`);
  const body = lines
    .slice(end + 1)
    .join("\n")
    .trim();
  return { ...(await parseYaml(head)), body };
}

async function parseYaml(text: string): Promise<Omit<FrontMatter, "body">> {
  const yaml = await import("yaml");
  const lines = new yaml.LineCounter();
  const document = yaml.parseDocument(text, {
    lineCounter: lines,
    prettyErrors: false,
    schema: "core",
    resolveKnownTags: false,
    stringKeys: true,
    // The parser's own check compares every key with every other; `refuseDoubled` does it faster.
    uniqueKeys: false,
  });
  // Warnings are about tags that the parser ignores.
  const [fault] = [...document.errors, ...document.warnings];
  if (fault !== undefined) throw wrong(whatIsWrong(fault), Math.min(fault.pos[0], text.length - 1), lines);
  yaml.visit(document, {
    Node: (_, node) => {
      const name = yaml.isAlias(node) ? `*${node.source}` : node.anchor && `&${node.anchor}`;
      if (name)
        throw wrong(`anchors and aliases (${name}) are not supported; write the value out`, node.range?.[0], lines);
      if (yaml.isMap(node)) refuseDoubled(node, lines);
    },
  });
  const { contents } = document;
  if (contents !== null && !yaml.isMap(contents)) throw wrong("it is not `key: value`", contents.range[0], lines);
  const values = (document.toJS({ maxAliasCount: 0 }) ?? {}) as FrontMatter["values"];
  return { values, lineOf: (path) => lineAt(yaml, document, path, lines) };
}

function refuseDoubled({ items }: YAMLMap, lines: LineCounter): void {
  const seen = new Set<string>();
  for (const { key } of items as YAMLMap<Scalar>["items"]) {
    const name = String(key.value);
    if (seen.has(name)) throw wrong(`${name} occurs twice`, key.range?.[0], lines);
    seen.add(name);
  }
}

function lineAt(
  { isMap, isScalar, isSeq, isNode }: typeof Yaml,
  { contents }: Pick<Document, "contents">,
  path: readonly PropertyKey[],
  lines: LineCounter,
): number | undefined {
  let node: unknown = contents;
  let start: number | undefined;
  for (const step of path) {
    if (isMap(node)) {
      const pair = node.items.find(({ key }) => isScalar(key) && String(key.value) === String(step));
      start = isScalar(pair?.key) ? pair.key.range?.[0] : undefined;
      node = pair?.value;
    } else {
      node = isSeq(node) ? node.items[Number(step)] : undefined;
      start = isNode(node) ? node.range?.[0] : undefined;
    }
  }
  return start === undefined ? undefined : lineOf(start, lines);
}

/** Line number in the file, whose first line is `---`. */
function lineOf(offset: number, lines: LineCounter): number {
  return lines.linePos(offset).line + 1;
}

const sentences: Partial<Record<ErrorCode, string>> = {
  MULTIPLE_DOCS: "text follows the end marker `...`",
  NON_STRING_KEY: "a key must be text",
  RESOURCE_EXHAUSTION: "it is nested too deeply",
  TAB_AS_INDENT: "it is indented with a tab; use spaces",
};

function whatIsWrong({ code, message }: YAMLError): string {
  return sentences[code] ?? `${message.charAt(0).toLowerCase()}${message.slice(1)}`.replace(/\.$/, "");
}

function wrong(what: string, offset: number | undefined, lines: LineCounter): Error {
  return new Error(`line ${lineOf(offset ?? 0, lines)}: ${what}.`);
}
