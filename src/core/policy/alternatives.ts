/** Expands a rule into alternatives: one for each tool and each pattern that it names. */
import type { Tool } from "../../events/tools.ts";
import { isAny, many, tokenOf, unknown, type Asked, type Token } from "./pattern.ts";
import { globOf, type PathScope } from "./path-patterns.ts";
import { listed, type Rule } from "./rule.ts";
import { parseLine } from "./shell/parse.ts";

export const dimensions = ["path", "command", "mcp", "domain"] as const;
export type Dimension = (typeof dimensions)[number];

export interface Alternative {
  readonly tool: Tool | "any";
  readonly dimension: Dimension | "bare" | "dynamic";
  readonly tokens: readonly Token[];
  /** The same pattern as a query: used to find an earlier rule that covers all of it. */
  readonly asked: readonly Asked[];
}

/** Agents edit in different ways: rewriting a file, patching it, or changing a notebook cell. A rule for one covers all three. */
const edits: readonly Tool[] = ["write", "edit", "notebook"];

/** Empty when the rule can never match. */
export function alternatives(rule: Rule, scope: PathScope): readonly Alternative[] {
  const tools = ruleTools(rule);
  const found: Alternative[] = [];
  for (const { dimension, tokens } of patternsOf(rule, scope)) {
    const asked = askedOf(tokens, rule.decision === "allow");
    for (const tool of tools) found.push({ tool, dimension, tokens, asked });
  }
  return found;
}

function ruleTools({ tool, command, mcp, dynamic }: Rule): readonly (Tool | "any")[] {
  const named = new Set(listed(tool).flatMap((one) => (edits.includes(one) ? edits : [one])));
  if (named.size > 0) return [...named];
  if (command !== undefined || dynamic === true) return ["shell"];
  return mcp === undefined ? ["any"] : ["mcp"];
}

function patternsOf(
  rule: Rule,
  scope: PathScope,
): readonly { dimension: Alternative["dimension"]; tokens: readonly Token[] }[] {
  if (rule.dynamic === true) return [{ dimension: "dynamic", tokens: [] }];
  const dimension = dimensions.find((one) => rule[one] !== undefined);
  if (dimension === undefined) return [{ dimension: "bare", tokens: [] }];
  return listed(rule[dimension])
    .map((pattern) => ({ dimension, tokens: parse[dimension](pattern, scope) }))
    .filter((found): found is { dimension: Dimension; tokens: Token[] } => found.tokens !== undefined);
}

/** Undefined when the pattern can never match. */
const parse: Readonly<Record<Dimension, (pattern: string, scope: PathScope) => Token[] | undefined>> = {
  path: globOf,
  command: commandOf,
  mcp(pattern) {
    const slash = pattern.indexOf("/");
    if (slash < 0) return [tokenOf(pattern), many];
    return [tokenOf(pattern.slice(0, slash)), tokenOf(pattern.slice(slash + 1))];
  },
  domain(pattern) {
    const host = pattern.toLowerCase().replace(/\.$/, "");
    if (host === "*") return [many];
    if (!/^(?:\*\.)?[^\s/:*?#@]+$/.test(host)) return undefined;
    const labels = asHost(host).split(".").toReversed();
    return labels.map((label) => (label === "*" ? many : label));
  },
};

/** The host as URLs contain it: `bücher.example` becomes `xn--bcher-kva.example`. */
function asHost(host: string): string {
  // Fast path: most hosts are plain ASCII, and there may be very many.
  if (/^[\x21-\x7e]*$/.test(host)) return host;
  const below = host.startsWith("*.") ? "*." : "";
  const url = `http://${host.slice(below.length)}`;
  return URL.canParse(url) ? below + new URL(url).hostname : host;
}

/** The words of one simple command without quotes. A last `*` stands for any number of words. */
function commandOf(pattern: string): Token[] | undefined {
  // Fast path: most patterns are plain words, and there may be very many.
  if (/^[\w./@:-]+(?: [\w./@:-]+)*(?: \*)?$/.test(pattern) && !/^\w*[=\d]/.test(pattern))
    return pattern.split(" ").map((word) => (word === "*" ? many : word));
  const { written, files, dynamic } = parseLine(pattern);
  const [command, ...more] = written;
  if (command === undefined || more.length > 0 || files.length > 0 || dynamic) return undefined;
  const tokens: Token[] = command.words.map(({ text, glob }) => (glob ? tokenOf(text) : text));
  const last = command.words.at(-1);
  if (last?.glob === true && last.text === "*") tokens.splice(-1, 1, many);
  return tokens;
}

function askedOf(tokens: readonly Token[], exact: boolean): readonly Asked[] {
  const asked = tokens.map((token) => (typeof token !== "object" ? token : isAny(token) ? unknown : { all: token }));
  return exact || asked.at(-1) === many ? asked : [...asked, many];
}
