/** What a rule of the policy is, and how it is said in one line. */
import type { Tool } from "../../events/tools.ts";

export const decisions = ["allow", "deny", "ask"] as const;
export type Decision = (typeof decisions)[number];

/** Everything that is named must be so; a list means one of them. The first rule that matches decides. */
export interface Rule {
  readonly decision: Decision;
  /** Ids of agents, with `*`. */
  readonly agent?: OneOrMore | undefined;
  /** Canonical tools. `write`, `edit` and `notebook` are one: what one agent writes anew another one patches. */
  readonly tool?: Tool | readonly Tool[] | undefined;
  /** Globs, from the workspace on, or absolute, or from `~` on. Of `deny` and `ask` also all that lies below. */
  readonly path?: OneOrMore | undefined;
  /** The words of one simple command, with `*`. Of `allow` the whole of it unless the last is `*`; else how it begins. */
  readonly command?: OneOrMore | undefined;
  /** A server, or a server and its tool: `github`, `github/create_*`. */
  readonly mcp?: OneOrMore | undefined;
  /** A host, or with `*.` before it those below it too. */
  readonly domain?: OneOrMore | undefined;
  /** Commands that cannot be known before they run: variables, substitutions, loops. Never with `allow`. */
  readonly dynamic?: true | undefined;
  /** For people, and for the agent that is denied something. */
  readonly reason?: string | undefined;
}

export type OneOrMore = string | readonly string[];

/**
 * Who said it, in the order in which they are asked: the caller, the project (which may only narrow), the person's answers about this
 * workspace, the person's own configuration.
 */
export const sources = ["call", "project", "answer", "person"] as const;
export type Source = (typeof sources)[number];

export interface SourcedRule {
  readonly rule: Rule;
  readonly source: Source;
  /** The file it stands in. */
  readonly file?: string | undefined;
}

export function listed<Item extends string>(value: Item | readonly Item[] | undefined): readonly Item[] {
  return value === undefined ? [] : typeof value === "string" ? [value] : value;
}

/** `deny shell rm -rf *`, `ask edit in src/**`, `allow mcp github/get_*`. */
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
  // A name with a line break in it must not look like two rules.
  return listed(value)
    .map((one) => (/[\p{Cc}]/u.test(one) ? JSON.stringify(one) : one))
    .join(" or ");
}

/** Words as a command line that reads back as just these. */
export function quotedWords(words: readonly string[]): string {
  return words.map((word) => (/^[\w%+,./:@^-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`)).join(" ");
}
