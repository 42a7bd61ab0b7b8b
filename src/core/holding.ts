/** The policy's word on tools that wait for it before anything else happens. */
import type { Answer, HoldAnswer } from "../agents/contract.ts";
import type { Mode } from "../events/modes.ts";
import type { AgentEventOf } from "../events/types.ts";
import type { FileWatch } from "./file-watch.ts";
import type { Verdict } from "./policy/decide.ts";
import { holdVerdict, withRule } from "./policy/mode.ts";
import { because } from "./policy/policy.ts";
import type { Policy } from "./policy/policy.ts";
import { said } from "./policy/rule.ts";
import type { Recorder } from "./record/recorder.ts";

export interface HoldingOptions {
  readonly recorder: Recorder;
  readonly files: FileWatch;
  readonly mode: () => Mode;
  /** The rules, for the agent that has the session now. */
  readonly policy: () => Policy;
  /** The turn is being cancelled: nothing runs any more. */
  readonly cancelling: () => boolean;
  /** Of the agent, as far as it is known. */
  readonly state: () => string | undefined;
  readonly tell: (requestId: string, answer: Answer) => void;
  /** Shows what was recorded. */
  readonly flush: () => void;
}

export class Holding {
  readonly #o: HoldingOptions;

  constructor(options: HoldingOptions) {
    this.#o = options;
  }

  held(event: AgentEventOf<"tool.held">): void {
    const { recorder } = this.#o;
    recorder.knowState(this.#o.state());
    recorder.ensureTool(event, event.nativeName);
    const word = this.#word(event);
    if (word.decision === "deny") return this.#settle(event, word);
    const ready = this.#o.files.before(event.tool);
    if (ready === undefined) this.#settle(event, word);
    // The tool waits until the state of the folder before it is known; the word on it is the one that holds then.
    else void ready.then(() => this.#release(event));
  }

  #release(event: AgentEventOf<"tool.held">): void {
    const word = this.#word(event);
    if (this.#o.recorder.turnId === undefined) return this.#tell(event, word);
    this.#settle(event, word);
    this.#o.flush();
  }

  #word(event: AgentEventOf<"tool.held">): Word {
    if (this.#o.cancelling()) return { decision: "deny", message: "The turn was cancelled." };
    const mode = this.#o.mode();
    const byMode = holdVerdict(mode, event.tool);
    const verdict = this.#o.policy().verdict(event);
    const decision = withRule(byMode, verdict?.decision, mode, event.tool);
    return verdict === undefined || decision === undefined ? byMode : { decision, message: because(verdict), verdict };
  }

  /** What is denied, and what a rule allows, is told to everybody; what a rule asks about, when the agent asks. */
  #settle(event: AgentEventOf<"tool.held">, word: Word): void {
    const { recorder } = this.#o;
    const { decision, message, verdict } = word;
    if (decision === "deny" || (decision === "allow" && verdict !== undefined)) {
      const { requestId, callId, tool, title, input, locations, mcp, parent } = event;
      recorder.add({
        type: "permission.requested",
        requestId,
        callId,
        tool,
        title,
        input,
        locations,
        mcp,
        parent,
        options: [],
        synthetic: true,
      });
      recorder.add({
        type: "permission.resolved",
        requestId,
        outcome: decision === "allow" ? "allowed" : "denied",
        by: this.#o.cancelling() ? "cancel" : "policy",
        message,
        rule: verdict && said(verdict.rule),
        parent,
        synthetic: true,
      });
    }
    this.#tell(event, word);
  }

  #tell({ requestId }: AgentEventOf<"tool.held">, { decision, message }: Word): void {
    this.#o.tell(requestId, decision === "deny" ? { decision, message } : { decision });
  }
}

interface Word extends HoldAnswer {
  /** By a rule. */
  readonly verdict?: Verdict;
}
