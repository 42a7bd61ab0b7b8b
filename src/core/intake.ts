/** What the core does with each thing an agent says: the policy's word on tools, requests that wait, and the rest into the record. */
import type { AgentSession, Answer } from "../agents/contract.ts";
import type { Mode } from "../events/modes.ts";
import type { AgentEvent, AgentEventOf } from "../events/types.ts";
import type { AfterAnswer, AfterCall } from "./after.ts";
import type { PermissionReply, QuestionReply } from "./api.ts";
import { Asking } from "./asking.ts";
import type { AskingOptions, CommandWriter } from "./asking.ts";
import type { Repository } from "./changes.ts";
import { FileWatch } from "./file-watch.ts";
import { Holding } from "./holding.ts";
import type { Request } from "./pending.ts";
import { isWithin } from "./policy/mode.ts";
import { Names } from "./record/names.ts";

const onceOrNot: AgentEventOf<"permission.requested">["options"] = [
  { id: "yes", kind: "allow_once", label: "Allow" },
  { id: "no", kind: "reject_once", label: "Reject" },
];

export interface IntakeOptions extends Omit<AskingOptions, "state" | "tell"> {
  readonly repository: Repository;
  readonly session: () => AgentSession | undefined;
  /** The agent says that it is in another mode now; the one that holds. */
  readonly followMode: (mode: Mode, planApproved: boolean) => Mode;
}

export class Intake {
  readonly #o: IntakeOptions;
  /** Those who wait for the word on a command that is not the agent's. */
  readonly #waiting = new Map<string, (answer: Answer) => void>();
  /** Of requests. */
  readonly #names = new Names();
  readonly #files: FileWatch;
  readonly #holding: Holding;
  readonly #asking: Asking;

  constructor(options: IntakeOptions) {
    this.#o = options;
    const { recorder, repository, session } = options;
    // Those of an earlier process are taken.
    for (const requestId of recorder.requests.known) this.#names.begin(requestId);
    const agent: Pick<AskingOptions, "state" | "tell"> = {
      state: () => session()?.state,
      tell: (requestId, answer) => {
        const waiting = this.#waiting.get(requestId);
        if (waiting === undefined) session()?.answer(this.#names.idOf(requestId), answer);
        else waiting(answer);
      },
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

  /** A prompt is about to be sent to an agent whose commands do not wait; resolves when it may be. */
  watch(): Promise<unknown> {
    return this.#files.ahead();
  }

  /** The person chose a mode: what was approved before that counts no longer. */
  forgetPlan(): void {
    this.#asking.planApproved = false;
  }

  /**
   * The word on a command that the agent does not ask for. Who wrote it down has allowed it, as far as the mode goes; one that came with a
   * project is asked about whatever the mode.
   */
  async permit(call: AfterCall, whose: CommandWriter, signal: AbortSignal): Promise<AfterAnswer> {
    await this.#files.before(call.tool);
    const { promise, resolve } = Promise.withResolvers<Answer | undefined>();
    const requestId = this.#names.begin(call.callId);
    this.#waiting.set(requestId, resolve);
    signal.addEventListener("abort", () => resolve(undefined), { once: true });
    const reason = whose === "project" ? "It came with the project." : undefined;
    const event = { ...call, requestId, reason, options: onceOrNot, synthetic: true };
    this.#asking.permission({ type: "permission.requested", ...event }, whose);
    this.#o.flush();
    const answer = signal.aborted ? undefined : await promise;
    this.#waiting.delete(requestId);
    this.#o.flush();
    if (answer?.decision === "allow") return "changedInput" in answer ? { changedInput: answer.changedInput } : {};
    return { denial: answer?.message ?? "It was not allowed." };
  }

  /** The turn ends and nothing waits in it any more. What subagents still wait for is to be taken again, after it. */
  endPending(): readonly Request[] {
    return this.#asking.endPending().map((event) => ({ ...event, requestId: this.#names.idOf(event.requestId) }));
  }

  /** Nothing waits any more: the turn is being cancelled. The agent is told by its own cancel. */
  cancelPending(): void {
    this.#asking.cancelPending();
  }

  /** At the end of a turn: what changed and was not reported. True when it cannot be known; undefined at once where nothing has run. */
  findChanges(): Promise<boolean> | undefined {
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
