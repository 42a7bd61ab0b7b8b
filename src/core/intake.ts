/** What the core does with each thing an agent says: the policy's word on tools, requests that wait, and the rest into the record. */
import type { AgentSession, Answer } from "../agents/contract.ts";
import type { Mode } from "../events/modes.ts";
import type { AgentEvent, AgentEventOf } from "../events/types.ts";
import type { PermissionReply, QuestionReply } from "./api.ts";
import { Asking } from "./asking.ts";
import type { AskingOptions } from "./asking.ts";
import type { Repository } from "./changes.ts";
import { FileWatch } from "./file-watch.ts";
import { Holding } from "./holding.ts";
import type { Request } from "./pending.ts";
import { isWithin } from "./policy.ts";
import { Names } from "./record/names.ts";

export interface IntakeOptions extends Omit<AskingOptions, "state" | "tell"> {
  readonly repository: Repository;
  readonly session: () => AgentSession | undefined;
  /** The agent says that it is in another mode now; the one that holds. */
  readonly followMode: (mode: Mode, planApproved: boolean) => Mode;
}

export class Intake {
  readonly #o: IntakeOptions;
  /** Of requests. */
  readonly #names = new Names();
  readonly #files: FileWatch;
  readonly #holding: Holding;
  readonly #asking: Asking;

  constructor(options: IntakeOptions) {
    this.#o = options;
    const { recorder, repository, session } = options;
    const agent: Pick<AskingOptions, "state" | "tell"> = {
      state: () => session()?.state,
      tell: (requestId, answer) => session()?.answer(this.#names.idOf(requestId), answer),
    };
    this.#files = new FileWatch(repository, recorder);
    this.#holding = new Holding({ ...options, ...agent, files: this.#files });
    this.#asking = new Asking({ ...options, ...agent, tell: (...told) => this.#permit(agent.tell, ...told) });
  }

  take(event: Exclude<AgentEvent, { type: "turn.ended" }>): void {
    const { recorder, pending } = this.#o;
    // Whatever a subagent says may make its call start.
    if (event.parent !== undefined) recorder.knowState(this.#o.session()?.state);
    switch (event.type) {
      case "tool.held":
      case "permission.requested":
      case "question.requested":
        // What it asks twice while it waits, it asks once.
        if (recorder.requests.waits(this.#names.nameOf(event.requestId))) return;
        return this.#asked({ ...event, requestId: this.#names.begin(event.requestId) });
      case "permission.resolved":
      case "question.resolved": {
        const requestId = this.#names.nameOf(event.requestId);
        pending.settle(requestId);
        return recorder.add({ ...event, requestId });
      }
      case "session.updated":
        return recorder.add(event.mode === undefined ? event : { ...event, mode: this.#modeAfter(event.mode) });
      case "tool.started":
        void this.#files.before(event.tool);
        recorder.knowState(this.#o.session()?.state);
        return recorder.add(event);
      default:
        recorder.add(event);
    }
  }

  /** A person's answer. Throws when nothing waits for it or it makes no sense. */
  answer(requestId: string, reply: PermissionReply | QuestionReply): void {
    this.#asking.answer(requestId, reply);
  }

  /** The person chose a mode: what was approved before that counts no longer. */
  forgetPlan(): void {
    this.#asking.planApproved = false;
  }

  /** The turn ends and nothing waits in it any more. What subagents still wait for is to be taken again, after it. */
  endPending(): readonly Request[] {
    return this.#asking.endPending().map((event) => ({ ...event, requestId: this.#names.idOf(event.requestId) }));
  }

  /** Nothing waits any more: the turn is being cancelled. The agent is told by its own cancel. */
  cancelPending(): void {
    this.#asking.cancelPending();
  }

  /** At the end of a turn: what changed and was not reported. True when it cannot be known. */
  findChanges(): Promise<boolean> {
    return this.#files.findChanges();
  }

  /** What is allowed may run at once, and must not before the state of the folder is known. */
  #permit(tell: AskingOptions["tell"], requestId: string, answer: Answer): void {
    const { looking } = this.#files;
    if (looking === undefined || answer.decision !== "allow") tell(requestId, answer);
    else void looking.then(() => tell(requestId, answer));
  }

  #asked(event: AgentEventOf<"tool.held" | "permission.requested" | "question.requested">): void {
    switch (event.type) {
      case "tool.held":
        return this.#holding.held(event);
      case "permission.requested":
        return this.#asking.permission(event);
      case "question.requested":
        return this.#asking.question(event);
    }
  }

  /** An agent may name a narrower mode than the one that holds, where it has none of its own for that. */
  #modeAfter(says: Mode): Mode {
    const holds = this.#o.followMode(says, this.#asking.planApproved);
    if (holds !== "plan") this.#asking.planApproved = false;
    return isWithin(says, holds) ? holds : says;
  }
}
