/** Decides held calls like the core, for agents that are driven without it and judged by Reins. */
import { optionsForGrant } from "../../src/core/permissions/options.ts";
import { Policy } from "../../src/core/policy/policy.ts";
import { decideOn } from "../../src/core/session/decision.ts";
import type { SessionState } from "../../src/core/session/state.ts";
import { noCapabilities } from "../../src/events/capabilities.ts";
import type { Mode } from "../../src/events/modes.ts";
import type { AgentEventOf } from "../../src/events/types.ts";
import type { HoldAnswer, PermissionAnswer } from "../../src/agents/contract.ts";
import { protectedFiles } from "./path-table.ts";

export interface JudgeOptions {
  readonly mode: Mode;
  readonly cwd: string;
  readonly directories?: readonly string[] | undefined;
}

export class Judge {
  readonly #o: JudgeOptions;
  readonly #grants = new Set<string>();
  readonly #policy: Policy;
  mode: Mode;

  constructor(options: JudgeOptions) {
    this.#o = options;
    this.mode = options.mode;
    this.#policy = new Policy({ rules: [], agent: "any", scope: { cwd: options.cwd, protectedFiles } });
  }

  /** Returns the decision, or the permission request when a person must decide. `ask`: a rule requires a person to decide. */
  decide(held: AgentEventOf<"tool.held">, ask = false): HoldAnswer | AgentEventOf<"permission.requested"> {
    const { cwd, directories = [] } = this.#o;
    const { decision, message, unasked, grant } = decideOn(held, this.#state, { cwd, folders: [cwd, ...directories] });
    if (!ask && decision !== "ask") return { decision, message, unasked };
    const { type: _type, nativeName: _name, filter: _filter, guessed: _guessed, ...call } = held;
    return { type: "permission.requested", ...call, options: optionsForGrant(grant!) };
  }

  /** Records a person's answer; "always" is remembered. */
  answered(held: AgentEventOf<"tool.held">, answer: PermissionAnswer): void {
    const { cwd, directories = [] } = this.#o;
    const { grant } = decideOn(held, this.#state, { cwd, folders: [cwd, ...directories] });
    if (answer.decision === "allow" && (answer.optionId === "always" || answer.always === true))
      this.#grants.add(grant!.key);
  }

  get #state(): SessionState {
    const capabilities = { ...noCapabilities, judge: "reins" as const };
    const active = { agent: { capabilities }, policy: this.#policy };
    const settings = { confirmedMode: this.mode, chosenMode: this.mode, active };
    return { lifecycle: "open", settings, configuring: [], grants: this.#grants } as unknown as SessionState;
  }
}
