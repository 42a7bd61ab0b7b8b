import { isNode, parse, walk, type Node, type Source } from "./syntax.ts";
import { attributes, calls, notVisible, properties, type Kind } from "./visible-string-rules.ts";

export interface VisibleString {
  readonly file: string;
  readonly line: number;
  readonly kind: Kind;
  /** The string on one line; `{...}` stands for a value that is put in. */
  readonly text: string;
}

const callRules = new Map(calls.flatMap((rule) => rule.names.split(" ").map((name) => [name, rule] as const)));
const silentCalls = new Set<string>(notVisible.calls.split(" "));
const silentAttributes = new Set<string>(notVisible.attributes.split(" "));

/** Every string of a file that a user can see, in the order of the file. */
export function visibleStrings(file: string, code: string): VisibleString[] {
  return visibleStringsIn(file, parse(file, code));
}

export function visibleStringsIn(file: string, source: Source): VisibleString[] {
  if (notVisible.files.some((pattern) => pattern.test(file))) return [];
  const found = new Map<number, VisibleString>();
  walk(source.program, (node, parents) => {
    const text = textOf(node, source);
    if (text === undefined || isPartOfText(node, parents)) return;
    if (notVisible.texts.some((pattern) => pattern.test(text))) return;
    const kind = kindOf(text, node, parents);
    if (kind !== undefined) found.set(node.start, { file, line: source.lineOf(node.start), kind, text });
  });
  return [...found.values()];
}

/** The text of a string, of a template, of strings joined by `+`, or between two tags. */
function textOf(node: Node, source: Source): string | undefined {
  const text = rawText(node, source)?.replaceAll(/\s+/g, " ").trim();
  return text !== undefined && /\p{L}/u.test(text) ? text : undefined;
}

function rawText(node: Node, source: Source): string | undefined {
  if (node.type === "Literal") return typeof node["value"] === "string" ? node["value"] : undefined;
  if (node.type === "JSXText") return String(node["value"]);
  if (node.type === "TemplateLiteral") return templateText(node, source);
  if (node.type !== "BinaryExpression" || node["operator"] !== "+") return undefined;
  const sides = [node["left"], node["right"]].filter(isNode);
  const texts = sides.map((side) => rawText(side, source));
  if (texts.every((text) => text === undefined)) return undefined;
  return texts.map((text, at) => text ?? valueText(sides[at], source)).join("");
}

function templateText(node: Node, source: Source): string {
  const values = node["expressions"] as readonly Node[];
  const pieces = node["quasis"] as readonly { readonly value: { readonly cooked?: string; readonly raw: string } }[];
  return pieces.map(({ value }, at) => (value.cooked ?? value.raw) + valueText(values[at], source)).join("");
}

function valueText(node: Node | undefined, source: Source): string {
  return node === undefined ? "" : `{${source.text.slice(node.start, node.end)}}`;
}

function isPartOfText(node: Node, parents: readonly Node[]): boolean {
  const parent = parents.at(-1);
  // The template or the sum around it prints it.
  if (parent?.type === "BinaryExpression") return parent["operator"] === "+" && node.type !== "JSXText";
  return parents.some(({ type }) => type === "TemplateLiteral");
}

/** Expressions whose value may be one of their parts. */
const passes = new Set([
  ...["ConditionalExpression", "LogicalExpression", "ArrayExpression", "ParenthesizedExpression", "SpreadElement"],
  ...["TSAsExpression", "TSSatisfiesExpression", "AwaitExpression", "ArrowFunctionExpression", "ReturnStatement"],
  ...["JSXExpressionContainer", "BlockStatement"],
]);

function kindOf(text: string, node: Node, parents: readonly Node[]): Kind | undefined {
  if (node.type === "JSXText") return "label";
  let child = node;
  for (const parent of parents.toReversed()) {
    if (isName(child, parent)) return undefined;
    if (parent.type === "CallExpression" || parent.type === "NewExpression") {
      const name = nameOf(parent["callee"]);
      if (silentCalls.has(name) && !callRules.has(name)) return undefined;
      const rule = callRules.get(name);
      const at = (parent["arguments"] as readonly Node[]).indexOf(child);
      if (rule !== undefined && (rule.args === undefined || rule.args.includes(at)) && isWords(text, rule.kind))
        return rule.kind;
      return fallback(text);
    }
    if (parent.type === "Property") {
      const kind = properties[nameOf(parent["key"])];
      return kind !== undefined && isWords(text, kind) ? kind : fallback(text);
    }
    if (parent.type === "JSXAttribute") {
      const name = nameOf(parent["name"]);
      if (silentAttributes.has(name)) return undefined;
      return attributes.includes(name) ? "label" : fallback(text);
    }
    if (parent.type === "JSXElement" || parent.type === "JSXFragment") return "label";
    if (!passes.has(parent.type)) return fallback(text);
    child = parent;
  }
  return fallback(text);
}

/** Names of modules, types, keys and cases, and needles of a comparison. */
function isName(child: Node, parent: Node): boolean {
  if (/^(?:Import|Export(?!Default)|TSLiteralType|TSEnum|SwitchCase|TSExternal)/.test(parent.type))
    return parent.type !== "ExportNamedDeclaration";
  if (parent.type === "BinaryExpression") return parent["operator"] !== "+";
  if (parent.type === "Property") return parent["key"] === child && parent["value"] !== child;
  if (parent.type === "ConditionalExpression") return parent["test"] === child;
  return parent.type === "MemberExpression" && parent["property"] === child;
}

/** One word of an argument is as often an id as a text; only labels and options are that short. */
function isWords(text: string, kind: Kind): boolean {
  return / /.test(text) || ((kind === "label" || kind === "output") && /^\p{Lu}\p{Ll}/u.test(text));
}

/** A string in no known place: a sentence or a phrase of at least three words. */
function fallback(text: string): Kind | undefined {
  const prose = text.replaceAll(/\{[^}]*\}/g, "x");
  return /^\P{Ll}*[\p{L}'’]+,? [\p{L}'’]+,? [\p{L}'’]/u.test(prose) && /\p{Ll}/u.test(prose) ? "text" : undefined;
}

function nameOf(node: unknown): string {
  if (!isNode(node)) return "";
  if (node.type === "MemberExpression") return nameOf(node["property"]);
  if (node.type === "PrivateIdentifier") return `#${String(node["name"])}`;
  if (node.type === "JSXNamespacedName") return "";
  const name = node["name"] ?? node["value"];
  return typeof name === "string" ? name : "";
}
