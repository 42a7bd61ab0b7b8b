/** Compiles rules for one agent and one workspace for fast lookup: indexed by tool and by prefix. */
import { tools, type Tool } from "../../events/tools.ts";
import { alternatives, dimensions, type Alternative, type Dimension } from "./alternatives.ts";
import { matchesStars, tokenOf } from "./pattern.ts";
import type { PathScope } from "./path-patterns.ts";
import { listed, type SourcedRule } from "./rule.ts";
import { none, Trie } from "./trie.ts";

interface RuleIndex {
  bare: number;
  dynamic: number;
  readonly tries: Readonly<Record<Dimension, Trie>>;
}

/** Above this number of patterns that differ only after a wildcard, shadowed rules are not searched, because it would take too long. */
const mostAlike = 1000;

export type Side = "allow" | "narrow";

export class Compiled {
  readonly rules: readonly SourcedRule[];
  readonly scope: PathScope;
  readonly #indexes: Readonly<Record<Side, Map<Tool | "any", RuleIndex>>> = { allow: new Map(), narrow: new Map() };
  readonly hopeless = new Set<number>();
  /** For each rule that never matches first, the number of the rule that matches before it. */
  readonly shadowed = new Map<number, number>();

  constructor(rules: readonly SourcedRule[], agent: string, scope: PathScope) {
    this.rules = rules;
    this.scope = scope;
    rules.forEach(({ rule }, number) => {
      if (!isFor(rule.agent, agent)) return;
      const side = rule.decision === "allow" ? "allow" : "narrow";
      const ways = alternatives(rule, scope);
      if (ways.length === 0) this.hopeless.add(number);
      let last = -1;
      for (const way of ways) last = Math.max(last, this.#covering(way));
      if (ways.length > 0 && last < none) this.shadowed.set(number, last);
      for (const way of ways) this.#add(side, way, number);
    });
  }

  /** True when rules restrict the files or hosts that commands mention. */
  get narrowsMentions(): { readonly path: boolean; readonly domain: boolean } {
    const has = (dimension: Dimension) =>
      (["any", "shell"] as const).some((tool) => (this.#indexes.narrow.get(tool)?.tries[dimension].size ?? 0) > 0);
    return { path: has("path"), domain: has("domain") };
  }

  narrows(tool: Tool): boolean {
    return this.#indexes.narrow.has(tool) || this.#indexes.narrow.has("any");
  }

  /** True when a rule could deny or ask about some calls of this tool. */
  narrowsSome(tool: Tool): boolean {
    const about = dimensions.filter((dimension) => toolsOf(dimension).includes(tool));
    return about.some((dimension) => this.first("narrow", tool, dimension, (trie) => (trie.size > 0 ? 0 : none)) === 0);
  }

  bare(side: Side, tool: Tool): number {
    const indexes = this.#indexes[side];
    return Math.min(indexes.get(tool)?.bare ?? none, indexes.get("any")?.bare ?? none);
  }

  dynamic(): number {
    const { narrow } = this.#indexes;
    return Math.min(narrow.get("shell")?.dynamic ?? none, narrow.get("any")?.dynamic ?? none);
  }

  /** The first rule for the tool, or for any tool, that `find` returns. */
  first(side: Side, tool: Tool, dimension: Dimension, find: (trie: Trie) => number): number {
    const indexes = this.#indexes[side];
    const [own, any] = [indexes.get(tool), indexes.get("any")];
    return Math.min(
      own === undefined ? none : find(own.tries[dimension]),
      any === undefined ? none : find(any.tries[dimension]),
    );
  }

  #add(side: Side, { tool, dimension, tokens }: Alternative, number: number): void {
    const index = this.#indexes[side].get(tool) ?? newIndex();
    this.#indexes[side].set(tool, index);
    if (dimension === "bare" || dimension === "dynamic") index[dimension] = Math.min(index[dimension], number);
    else index.tries[dimension].add(tokens, number);
  }

  /** The first earlier rule that matches everything this alternative would match. */
  #covering({ tool, dimension, asked }: Alternative): number {
    const each = tool === "any" ? toolsOf(dimension) : [tool];
    let latest = -1;
    for (const one of each) latest = Math.max(latest, this.#before(one, dimension, asked));
    return latest;
  }

  #beforeIn(trie: Trie, find: () => number): number {
    return trie.widest > mostAlike ? none : find();
  }

  #before(one: Tool, dimension: Alternative["dimension"], asked: Alternative["asked"]): number {
    const bare = Math.min(this.bare("allow", one), this.bare("narrow", one));
    if (dimension === "bare") return bare;
    if (dimension === "dynamic") return Math.min(this.bare("narrow", one), this.dynamic());
    return Math.min(
      bare,
      this.first("allow", one, dimension, (trie) => this.#beforeIn(trie, () => trie.first(asked))),
      this.first("narrow", one, dimension, (trie) => this.#beforeIn(trie, () => trie.firstBeginning(asked))),
    );
  }
}

function newIndex(): RuleIndex {
  const tries = { path: new Trie(), command: new Trie(), mcp: new Trie(), domain: new Trie() };
  return { bare: none, dynamic: none, tries };
}

const dimensionTools: Readonly<Record<Alternative["dimension"], readonly Tool[]>> = {
  path: ["read", "write", "edit", "delete", "move", "list", "glob", "grep", "notebook", "image", "shell"],
  command: ["shell"],
  dynamic: ["shell"],
  mcp: ["mcp"],
  domain: ["web_fetch", "shell"],
  bare: tools,
};

export function toolsOf(dimension: Alternative["dimension"]): readonly Tool[] {
  return dimensionTools[dimension];
}

export function isFor(agents: SourcedRule["rule"]["agent"], agent: string): boolean {
  if (agents === undefined) return true;
  return listed(agents).some((name) => {
    const token = tokenOf(name);
    return typeof token === "string" ? token === agent : matchesStars(token, agent);
  });
}
