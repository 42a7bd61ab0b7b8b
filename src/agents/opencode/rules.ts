/** What runs without asking, and what never runs. */
import { relative, resolve, sep } from "node:path";
import { record, text } from "../../drivers/stream-json/read.ts";
import type { Mode } from "../../events/modes.ts";
import { isOutside, realPlace, shownPath } from "../shared/real-path.ts";
import { commandRule, editsInWorkspace, SessionRules, toolRule } from "../shared/session-rules.ts";
import type { Rule, SessionRulesOptions } from "../shared/session-rules.ts";
import { patchedFiles } from "./patch.ts";
import { program } from "./program.ts";
import { lookingTools, nativeToolNames } from "./tools.ts";

export interface RulesOptions extends SessionRulesOptions {
  readonly mode: Mode;
  /** Where its agent for planning writes its plan down. */
  readonly planFiles?: readonly string[] | undefined;
}

const editTools: ReadonlySet<string> = new Set(["write", "edit", "multiedit", "apply_patch"]);

export class Rules extends SessionRules {
  mode: Mode;
  readonly #planFiles: readonly string[];

  constructor(options: RulesOptions) {
    super(options, program, nativeToolNames);
    this.mode = options.mode;
    this.#planFiles = options.planFiles ?? [];
  }

  async allows(nativeName: string, input: unknown): Promise<boolean> {
    if (lookingTools.has(nativeName) || this.permits(nativeName)) return true;
    if (this.mode === "plan" && (await this.#isPlanFile(nativeName, input))) return true;
    return this.remembers(await this.ruleFor(nativeName, input));
  }

  /** As far as an `always` reaches: the same command, edits in ordinary places of the workspace, else the same files or tool. */
  async ruleFor(nativeName: string, input: unknown): Promise<Rule> {
    if (nativeName === "bash") return commandRule(nativeName, text(record(input)["command"]) ?? "");
    if (!editTools.has(nativeName)) return toolRule(nativeName);
    const places = this.#placesOf(nativeName, input);
    const ordinary = await Promise.all(places.map((place) => this.isOrdinary(place)));
    if (places.length > 0 && !ordinary.includes(false)) return editsInWorkspace;
    const shown = places.map((place) => shownPath(this.cwd, place)).join(", ");
    return { key: `edit ${places.join("\n")}`, label: `edits of ${shown}` };
  }

  /** A place outside of its folder that OpenCode itself would ask about; a pattern ends with a star. */
  async isInWorkspace(pattern: string): Promise<boolean> {
    try {
      const real = await realPlace(this.cwd, pattern.replace(/[/\\]?\*+$/, "") || sep);
      const folders = await Promise.all(this.folders.map((folder) => realPlace(this.cwd, folder)));
      return folders.some((folder) => !isOutside(relative(folder, real)));
    } catch {
      return false;
    }
  }

  #placesOf(nativeName: string, input: unknown): string[] {
    const { filePath, patchText } = record(input);
    const paths = nativeName === "apply_patch" ? patchedFiles(text(patchText) ?? "") : [text(filePath) ?? ""];
    return paths.filter((path) => path !== "").map((path) => resolve(this.cwd, path));
  }

  /** It may write the plan, and only there; the plan itself is approved by a person. */
  async #isPlanFile(nativeName: string, input: unknown): Promise<boolean> {
    const places = editTools.has(nativeName) ? this.#placesOf(nativeName, input) : [];
    const [real, plans] = await Promise.all([places, this.#planFiles].map((paths) => this.#realPlaces(paths)));
    return places.length > 0 && real?.length === places.length && real.every((place) => plans?.includes(place));
  }

  /** Links followed; without those that cannot be reached. */
  async #realPlaces(paths: readonly string[]): Promise<string[]> {
    const found = paths.map((path) => realPlace(this.cwd, path).catch(() => undefined));
    return (await Promise.all(found)).filter((path) => path !== undefined);
  }
}
