/** What runs without asking, and what never runs: the caller's filter, and what a person allowed for the rest of the session. */
import { relative, resolve, sep } from "node:path";
import { record, text } from "../../drivers/stream-json/read.ts";
import { ReinsError } from "../../events/errors.ts";
import type { Mode } from "../../events/modes.ts";
import { oneLine } from "../../events/printable.ts";
import type { OpenOptions, ToolFilter } from "../contract.ts";
import { isOutside, realPlace, shownPath } from "../shared/real-path.ts";
import { patchedFiles } from "./patch.ts";
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

export interface RulesOptions extends Pick<OpenOptions, "cwd" | "mode" | "tools" | "state" | "directories"> {
  /** Where its agent for planning writes its plan down. */
  readonly planFiles?: readonly string[] | undefined;
}

const editTools: ReadonlySet<string> = new Set(["write", "edit", "multiedit", "apply_patch"]);

export class Rules {
  mode: Mode;
  readonly #cwd: string;
  /** The workspace: the folder of the session and those added to it. */
  readonly #folders: readonly string[];
  readonly #planFiles: readonly string[];
  readonly #first: Names;
  readonly #rest: Names;
  readonly #always = new Set<string>();
  #prompts = 0;

  constructor({ cwd, mode, tools, state, directories = [], planFiles = [] }: RulesOptions) {
    this.mode = mode;
    this.#planFiles = planFiles;
    this.#cwd = cwd;
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

  /** The caller said so. */
  permits(nativeName: string): boolean {
    return this.#names.allowed.has(nativeName);
  }

  async allows(nativeName: string, input: unknown): Promise<boolean> {
    if (lookingTools.has(nativeName) || this.permits(nativeName)) return true;
    if (this.mode === "plan" && (await this.#isPlanFile(nativeName, input))) return true;
    return this.#always.has((await this.ruleFor(nativeName, input)).key);
  }

  remembers(rule: Rule): boolean {
    return this.#always.has(rule.key);
  }

  allowAlways(rule: Rule): void {
    this.#always.add(rule.key);
  }

  /** As far as an `always` reaches: the same command, edits in ordinary places of the workspace, else the same files or tool. */
  async ruleFor(nativeName: string, input: unknown): Promise<Rule> {
    if (nativeName === "bash") {
      const line = text(record(input)["command"]) ?? "";
      return { key: `bash ${line}`, label: `the command ${oneLine(line).slice(0, 60)}` };
    }
    if (!editTools.has(nativeName)) return { key: `tool ${nativeName}`, label: `the tool ${nativeName}` };
    const places = this.#placesOf(nativeName, input);
    const ordinary = await Promise.all(places.map((place) => this.#isOrdinary(place)));
    if (places.length > 0 && !ordinary.includes(false)) return { key: "edits", label: "edits in the workspace" };
    const shown = places.map((place) => shownPath(this.#cwd, place)).join(", ");
    return { key: `edit ${places.join("\n")}`, label: `edits of ${shown}` };
  }

  /** A place outside of its folder that OpenCode itself would ask about; a pattern ends with a star. */
  async isInWorkspace(pattern: string): Promise<boolean> {
    try {
      const real = await realPlace(this.#cwd, pattern.replace(/[/\\]?\*+$/, "") || sep);
      const folders = await Promise.all(this.#folders.map((folder) => realPlace(this.#cwd, folder)));
      return folders.some((folder) => !isOutside(relative(folder, real)));
    } catch {
      return false;
    }
  }

  get #names(): Names {
    return this.#prompts <= 1 ? this.#first : this.#rest;
  }

  #placesOf(nativeName: string, input: unknown): string[] {
    const { filePath, patchText } = record(input);
    const paths = nativeName === "apply_patch" ? patchedFiles(text(patchText) ?? "") : [text(filePath) ?? ""];
    return paths.filter((path) => path !== "").map((path) => resolve(this.#cwd, path));
  }

  /** It may write the plan, and only there; the plan itself is approved by a person. */
  async #isPlanFile(nativeName: string, input: unknown): Promise<boolean> {
    const places = editTools.has(nativeName) ? this.#placesOf(nativeName, input) : [];
    const [real, plans] = await Promise.all([places, this.#planFiles].map((paths) => this.#realPlaces(paths)));
    return places.length > 0 && real?.length === places.length && real.every((place) => plans?.includes(place));
  }

  /** Links followed; without those that cannot be reached. */
  async #realPlaces(paths: readonly string[]): Promise<string[]> {
    const found = paths.map((path) => realPlace(this.#cwd, path).catch(() => undefined));
    return (await Promise.all(found)).filter((path) => path !== undefined);
  }

  /** Inside of the workspace, links followed, and in nothing hidden: what is hidden makes other programs run. */
  async #isOrdinary(place: string): Promise<boolean> {
    try {
      const real = await realPlace(this.#cwd, place);
      for (const folder of this.#folders) {
        const way = relative(await realPlace(this.#cwd, folder), real);
        if (!isOutside(way)) return !way.split(sep).some((part) => part.startsWith("."));
      }
      return false;
    } catch {
      return false;
    }
  }
}

function namesOf(filter: ToolFilter | undefined): Names {
  return { allowed: spelled(filter?.allowed), disallowed: spelled(filter?.disallowed) };
}

function spelled(names: readonly string[] = []): ReadonlySet<string> {
  const wrong = names.find((name) => !/^[\w.:-]+$/.test(name));
  if (wrong === undefined) return new Set(names.flatMap(nativeToolNames));
  throw new ReinsError(
    "invalid_input",
    `OpenCode's tools are allowed and disallowed by their names, and "${wrong}" is none.`,
    { agent: "opencode", help: "Name a tool such as shell or edit, without a rule." },
  );
}
