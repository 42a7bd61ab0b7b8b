/** What runs without asking, and what never runs: the caller's filter, and what a person allowed for the rest of the session. */
import { relative, sep } from "node:path";
import { ReinsError } from "../../events/errors.ts";
import { oneLine } from "../../events/printable.ts";
import { record, text } from "../../drivers/stream-json/read.ts";
import type { OpenOptions, ToolFilter } from "../contract.ts";
import { isOutside, realPlace, shownPath } from "../shared/real-path.ts";
import { placeOf } from "./paths.ts";
import type { Places } from "./paths.ts";
import { lookingTools, nativeToolNames } from "./tools.ts";

export interface Rule {
  readonly key: string;
  /** For people. */
  readonly label: string;
}

interface Names {
  readonly allowed: ReadonlySet<string>;
  readonly disallowed: ReadonlySet<string>;
}

export type RulesOptions = Pick<OpenOptions, "tools" | "state" | "directories"> & Places;

export class Rules {
  readonly #places: Places;
  /** The workspace: the folder of the session and those added to it. */
  readonly #folders: readonly string[];
  readonly #first: Names;
  readonly #rest: Names;
  readonly #always = new Set<string>();
  #prompts = 0;

  constructor({ tools, state, cwd, home, directories = [] }: RulesOptions) {
    this.#places = { cwd, home };
    this.#folders = [cwd, ...directories];
    this.#rest = namesOf(tools);
    // A conversation that goes on had its first prompt already.
    this.#first = tools?.first === undefined || state !== undefined ? this.#rest : namesOf(tools.first);
  }

  prompted(): void {
    this.#prompts++;
  }

  forbids(nativeName: string): boolean {
    return this.#names.disallowed.has(nativeName);
  }

  async allows(nativeName: string, input: unknown): Promise<boolean> {
    if (lookingTools.includes(nativeName) || this.#names.allowed.has(nativeName)) return true;
    return this.#always.has((await this.ruleFor(nativeName, input)).key);
  }

  allowAlways(rule: Rule): void {
    this.#always.add(rule.key);
  }

  /** As far as an `always` reaches: the same command, edits in ordinary places of the workspace, else the same file or tool. */
  async ruleFor(nativeName: string, input: unknown): Promise<Rule> {
    const { path, command } = record(input);
    if (nativeName === "bash" || nativeName === "powershell") {
      const line = text(command) ?? "";
      return { key: `${nativeName} ${line}`, label: `the command ${oneLine(line).slice(0, 60)}` };
    }
    if (nativeName !== "write" && nativeName !== "edit")
      return { key: `tool ${nativeName}`, label: `the tool ${nativeName}` };
    const place = placeOf(text(path) ?? "", this.#places);
    return (await this.#isOrdinary(place))
      ? { key: "edits", label: "edits in the workspace" }
      : { key: `edit ${place}`, label: `edits of ${shownPath(this.#places.cwd, place)}` };
  }

  get #names(): Names {
    return this.#prompts <= 1 ? this.#first : this.#rest;
  }

  /** Inside of the workspace, links followed, and in nothing hidden: what is hidden makes other programs run. */
  async #isOrdinary(place: string): Promise<boolean> {
    try {
      const real = await realPlace(this.#places.cwd, place);
      for (const folder of this.#folders) {
        const way = relative(await realPlace(this.#places.cwd, folder), real);
        if (!isOutside(way)) return !way.split(sep).some((part) => part.startsWith("."));
      }
      return false;
    } catch {
      return false;
    }
  }
}

/** Disallowed for every prompt, the first and the others: pi need not offer these to its model at all. */
export function neverOffered(tools: OpenOptions["tools"]): string[] {
  const rest = namesOf(tools).disallowed;
  const first = tools?.first === undefined ? rest : namesOf(tools.first).disallowed;
  return [...rest].filter((name) => first.has(name));
}

function namesOf(filter: ToolFilter | undefined): Names {
  return { allowed: spelled(filter?.allowed), disallowed: spelled(filter?.disallowed) };
}

function spelled(names: readonly string[] = []): ReadonlySet<string> {
  const wrong = names.find((name) => !/^[\w.:-]+$/.test(name));
  if (wrong === undefined) return new Set(names.flatMap(nativeToolNames));
  throw new ReinsError(
    "invalid_input",
    `pi's tools are allowed and disallowed by their names, and "${wrong}" is none.`,
    {
      agent: "pi",
      help: "Name a tool such as shell or edit, without a rule.",
    },
  );
}
