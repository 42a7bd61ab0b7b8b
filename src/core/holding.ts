/** The policy's word on tools that wait for it before anything else happens. */
import type { Answer, HoldAnswer } from "../agents/contract.ts";
import type { Mode } from "../events/modes.ts";
import type { Tool } from "../events/tools.ts";
import type { AgentEventOf } from "../events/types.ts";
import type { FileWatch } from "./file-watch.ts";
import { holdVerdict } from "./policy/mode.ts";
import type { Recorder } from "./record/recorder.ts";

export interface HoldingOptions {
  readonly recorder: Recorder;
  readonly files: FileWatch;
  readonly mode: () => Mode;
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
    const verdict = this.#verdict(event.tool);
    if (verdict.decision === "deny") return this.#deny(event, verdict);
    const ready = this.#o.files.before(event.tool);
    if (ready === undefined) this.#o.tell(event.requestId, verdict);
    // The tool waits until the state of the folder before it is known; the word on it is the one that holds then.
    else void ready.then(() => this.#release(event));
  }

  #release(event: AgentEventOf<"tool.held">): void {
    const verdict = this.#verdict(event.tool);
    if (verdict.decision !== "deny" || this.#o.recorder.turnId === undefined)
      return this.#o.tell(event.requestId, verdict);
    this.#deny(event, verdict);
    this.#o.flush();
  }

  #verdict(tool: Tool): HoldAnswer {
    if (this.#o.cancelling()) return { decision: "deny", message: "The turn was cancelled." };
    return holdVerdict(this.#o.mode(), tool);
  }

  #deny(event: AgentEventOf<"tool.held">, verdict: HoldAnswer): void {
    const { recorder } = this.#o;
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
      outcome: "denied",
      by: this.#o.cancelling() ? "cancel" : "policy",
      message: verdict.message,
      parent,
      synthetic: true,
    });
    this.#o.tell(requestId, verdict);
  }
}
