/** The type of a permission rule, and its form in one line. */
import type { Tool } from "../../events/tools.ts";

export const decisions = ["allow", "deny", "ask"] as const;
/** Effect of a rule. `ask` means a permission request. */
export type Decision = (typeof decisions)[number];

/**
 * A permission rule. All named fields must match; a list matches when one of its entries does. The first matching
 * rule decides.
 *
 *   { decision: "deny", command: "git push *", reason: "Pushing is for people." }
 */
export interface Rule {
  readonly decision: Decision;
  /** Agent ids, with `*` as a wildcard. */
  readonly agent?: OneOrMore | undefined;
  /** Canonical tools. `write`, `edit` and `notebook` count as one: one agent rewrites a file, another patches it. */
  readonly tool?: Tool | readonly Tool[] | undefined;
  /** Globs: relative to the workspace, absolute, or starting with `~`. For `deny` and `ask` they include everything below. */
  readonly path?: OneOrMore | undefined;
  /**
   * Words of one simple command, with `*`. For `allow` the whole command must match unless the last word is `*`; for
   * `deny` and `ask` a matching beginning is enough.
   */
  readonly command?: OneOrMore | undefined;
  /** An MCP server, or a server and its tool: `github`, `github/create_*`. */
  readonly mcp?: OneOrMore | undefined;
  /** A host name. `*.example.com` matches `example.com` and its subdomains. */
  readonly domain?: OneOrMore | undefined;
  /** Matches commands that cannot be known before they run: variables, substitutions, loops. Never with `allow`. */
  readonly dynamic?: true | undefined;
  /** Shown to people, and to the agent that is denied. */
  readonly reason?: string | undefined;
}

/** A text or a list of texts. */
export type OneOrMore = string | readonly string[];

/**
 * Origins of rules, in the order of evaluation: the caller, the project (only restrictions), the user's saved answers
 * for this workspace, the user's configuration.
 */
export const sources = ["call", "project", "answer", "person"] as const;
/** Origin of a rule. */
export type Source = (typeof sources)[number];

/** A rule with its origin. */
export interface SourcedRule {
  readonly rule: Rule;
  readonly source: Source;
  /** The file that contains the rule. */
  readonly file?: string | undefined;
}

export function listed<Item extends string>(value: Item | readonly Item[] | undefined): readonly Item[] {
  return value === undefined ? [] : typeof value === "string" ? [value] : value;
}

/** Formats a rule in one line: `deny shell rm -rf *`, `ask edit in src/**`, `allow mcp github/get_*`. */
export function formatRule({ decision, agent, tool, path, command, mcp, domain, dynamic }: Rule): string {
  const ofTool = command !== undefined || dynamic === true ? "shell" : mcp !== undefined ? "mcp" : "everything";
  const parts = [
    tool === undefined ? ofTool : all(tool),
    dynamic === true ? "that cannot be known" : "",
    all(command),
    all(mcp),
    path === undefined ? "" : `in ${all(path)}`,
    domain === undefined ? "" : `at ${all(domain)}`,
  ].filter((part) => part !== "");
  return `${decision} ${parts.join(" ")}${agent === undefined ? "" : ` (${all(agent)})`}`;
}

function all(value: OneOrMore | undefined): string {
  // Quote names with control characters: a line break must not look like a second rule.
  return listed(value)
    .map((one) => (/[\p{Cc}]/u.test(one) ? JSON.stringify(one) : one))
    .join(" or ");
}

/** Quotes words so that a shell reads back exactly these words. */
export function quotedWords(words: readonly string[]): string {
  return words.map((word) => (/^[\w%+,./:@^-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`)).join(" ");
}
