/** What runs without asking, and what never runs. */
import { record, text } from "../../drivers/stream-json/read.ts";
import type { OpenOptions } from "../contract.ts";
import { shownPath } from "../shared/real-path.ts";
import { commandRule, editsInWorkspace, namesOf, SessionRules, toolRule } from "../shared/session-rules.ts";
import type { Rule, SessionRulesOptions } from "../shared/session-rules.ts";
import { placeOf } from "./paths.ts";
import type { Places } from "./paths.ts";
import { program } from "./program.ts";
import { lookingTools, nativeToolNames } from "./tools.ts";

export type RulesOptions = SessionRulesOptions & Places;

export class Rules extends SessionRules {
  readonly #home: string;

  constructor(options: RulesOptions) {
    super(options, program, nativeToolNames);
    this.#home = options.home;
  }

  async allows(nativeName: string, input: unknown): Promise<boolean> {
    if (lookingTools.includes(nativeName) || this.permits(nativeName)) return true;
    return this.remembers(await this.ruleFor(nativeName, input));
  }

  /** As far as an `always` reaches: the same command, edits in ordinary places of the workspace, else the same file or tool. */
  async ruleFor(nativeName: string, input: unknown): Promise<Rule> {
    const { path, command } = record(input);
    if (nativeName === "bash" || nativeName === "powershell") return commandRule(nativeName, text(command) ?? "");
    if (nativeName !== "write" && nativeName !== "edit") return toolRule(nativeName);
    const place = placeOf(text(path) ?? "", { cwd: this.cwd, home: this.#home });
    if (await this.isOrdinary(place)) return editsInWorkspace;
    return { key: `edit ${place}`, label: `edits of ${shownPath(this.cwd, place)}` };
  }
}

/** Disallowed for every prompt, the first and the others: pi need not offer these to its model at all. */
export function neverOffered(tools: OpenOptions["tools"]): string[] {
  const rest = namesOf(program, nativeToolNames, tools).disallowed;
  const first = tools?.first === undefined ? rest : namesOf(program, nativeToolNames, tools.first).disallowed;
  return [...rest].filter((name) => first.has(name));
}
