/** What runs without asking, and what never runs, where Reins holds every call: the caller's filter, and what a person allowed for the session. */
import { relative, sep } from "node:path";
import { ReinsError } from "../../events/errors.ts";
import { oneLine } from "../../events/printable.ts";
import type { OpenOptions, ToolFilter } from "../contract.ts";
import type { Program } from "./program.ts";
import { isOutside, realPlace } from "./real-path.ts";

/** How far an `always` reaches. */
export interface Rule {
  readonly key: string;
  /** For people. */
  readonly label: string;
}

export const commandRule = (nativeName: string, line: string): Rule => ({
  key: `${nativeName} ${line}`,
  label: `the command ${oneLine(line).slice(0, 60)}`,
});

export const toolRule = (nativeName: string): Rule => ({ key: `tool ${nativeName}`, label: `the tool ${nativeName}` });

export const editsInWorkspace: Rule = { key: "edits", label: "edits in the workspace" };

interface Names {
  readonly allowed: ReadonlySet<string>;
  readonly disallowed: ReadonlySet<string>;
}

/** A filter in the agent's own names; `spell` gives those of a name. */
export function namesOf(program: Program, spell: (name: string) => string[], filter: ToolFilter | undefined): Names {
  const spelled = (names: readonly string[] = []): ReadonlySet<string> => {
    const wrong = names.find((name) => !/^[\w.:-]+$/.test(name));
    if (wrong === undefined) return new Set(names.flatMap(spell));
    const message = `${program.name}'s tools are allowed and disallowed by their names, and "${wrong}" is none.`;
    const help = "Name a tool such as shell or edit, without a rule.";
    throw new ReinsError("invalid_input", message, { agent: program.id, help });
  };
  return { allowed: spelled(filter?.allowed), disallowed: spelled(filter?.disallowed) };
}

export type SessionRulesOptions = Pick<OpenOptions, "cwd" | "tools" | "state" | "directories">;

export class SessionRules {
  protected readonly cwd: string;
  /** The workspace: the folder of the session and those added to it. */
  protected readonly folders: readonly string[];
  readonly #first: Names;
  readonly #rest: Names;
  readonly #always = new Set<string>();
  #prompts = 0;

  constructor(
    { cwd, tools, state, directories = [] }: SessionRulesOptions,
    program: Program,
    spell: (name: string) => string[],
  ) {
    this.cwd = cwd;
    this.folders = [cwd, ...directories];
    this.#rest = namesOf(program, spell, tools);
    // A conversation that goes on had its first prompt already.
    this.#first = tools?.first === undefined || state !== undefined ? this.#rest : namesOf(program, spell, tools.first);
  }

  prompted(): void {
    this.#prompts++;
  }

  forbids(nativeName: string): boolean {
    return this.#names.disallowed.has(nativeName);
  }

  /** The caller said so. */
  permits(nativeName: string): boolean {
    return this.#names.allowed.has(nativeName);
  }

  /** A person said so. */
  remembers(rule: Rule): boolean {
    return this.#always.has(rule.key);
  }

  allowAlways(rule: Rule): void {
    this.#always.add(rule.key);
  }

  /** Inside of the workspace, links followed, and in nothing hidden: what is hidden makes other programs run. */
  protected async isOrdinary(place: string): Promise<boolean> {
    try {
      const real = await realPlace(this.cwd, place);
      for (const folder of this.folders) {
        const way = relative(await realPlace(this.cwd, folder), real);
        if (!isOutside(way)) return !way.split(sep).some((part) => part.startsWith("."));
      }
      return false;
    } catch {
      return false;
    }
  }

  get #names(): Names {
    return this.#prompts <= 1 ? this.#first : this.#rest;
  }
}
