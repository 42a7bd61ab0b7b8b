import { ReinsError } from "../../events/errors.ts";
import type { AgentEventOf } from "../../events/types.ts";
import type { Agent, OpenOptions, ToolFilter } from "../contract.ts";
import type { Program } from "./program/program.ts";

interface Names {
  readonly allowed: ReadonlySet<string>;
  readonly disallowed: ReadonlySet<string>;
}

/** `spell` returns the agent's own names of a tool. */
export function namesOf(program: Program, spell: (name: string) => string[], filter: ToolFilter | undefined): Names {
  const spelled = (names: readonly string[] = []): ReadonlySet<string> => {
    const wrong = names.find((name) => !/^[\w.:-]+$/.test(name));
    if (wrong !== undefined) throw notAName(program, wrong);
    return new Set(names.flatMap(spell));
  };
  return { allowed: spelled(filter?.allowed), disallowed: spelled(filter?.disallowed) };
}

/** For an agent that filters tools by name only: a rule such as `shell(git push)` would match no call and so block nothing. */
export function refuseRules(agent: Pick<Agent, "id" | "name">, tools: OpenOptions["tools"]): void {
  const wrong = [tools, tools?.first]
    .flatMap((filter) => [...(filter?.allowed ?? []), ...(filter?.disallowed ?? [])])
    .find((tool) => tool.trim() === "" || tool.includes("("));
  if (wrong !== undefined) throw notAName(agent, wrong);
}

function notAName({ id, name }: Pick<Agent, "id" | "name">, wrong: string): ReinsError {
  const message = `${name}'s tools are allowed and disallowed by name, and "${wrong}" is not a name.`;
  const help = "Name a tool such as shell or edit, without a rule.";
  return new ReinsError("invalid_input", message, { agent: id, help });
}

/** A filter as lists of the agent's permission rules. A canonical tool may have a rule in parentheses: `shell(git *)`. */
export interface NativeRules {
  readonly allowed: readonly string[];
  readonly disallowed: readonly string[];
}

export function nativeRules(filter: ToolFilter | undefined, spell: (name: string) => string[]): NativeRules {
  const spelled = (names: readonly string[] = []): string[] => [...new Set(names.flatMap(spell))];
  return { allowed: spelled(filter?.allowed), disallowed: spelled(filter?.disallowed) };
}

/** All tools of an agent that a name in a filter stands for. A name that is not canonical is taken as the agent's own. */
export function nativeNames(canonicalOrNative: string, toolNames: ReadonlyMap<string, string>): string[] {
  const [, name = "", rule = ""] = /^([a-z_]+)(\(.*\))?$/s.exec(canonicalOrNative) ?? [];
  if (name === "mcp") return ["mcp__*"];
  const names = [...toolNames].filter(([, tool]) => tool === name).map(([native]) => native + rule);
  return names.length > 0 ? names : [canonicalOrNative];
}

export type ToolNamesOptions = Pick<OpenOptions, "tools" | "state">;

export class ToolNames {
  readonly #first: Names;
  readonly #rest: Names;
  #prompts = 0;

  constructor({ tools, state }: ToolNamesOptions, program: Program, spell: (name: string) => string[]) {
    this.#rest = namesOf(program, spell, tools);
    // A resumed conversation has already had its first prompt.
    this.#first = tools?.first === undefined || state !== undefined ? this.#rest : namesOf(program, spell, tools.first);
  }

  prompted(): void {
    this.#prompts++;
  }

  filterOf(nativeName: string): AgentEventOf<"tool.held">["filter"] {
    const { allowed, disallowed } = this.#prompts <= 1 ? this.#first : this.#rest;
    if (disallowed.has(nativeName)) return "disallowed";
    return allowed.has(nativeName) ? "allowed" : undefined;
  }
}
