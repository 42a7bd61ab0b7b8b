/** What the core does with each thing an agent says: the policy's word on tools, requests that wait, and the rest into the record. */
import type { AgentSession, Answer, HoldAnswer, PermissionAnswer, QuestionAnswer } from "../agents/contract.ts";
import { toReinsError } from "../events/errors.ts";
import type { Mode } from "../events/modes.ts";
import type { Tool } from "../events/tools.ts";
import type { AgentEvent, AgentEventOf, Location } from "../events/types.ts";
import type { PermissionReply, PermissionRequest, QuestionReply, QuestionRequest, SessionOptions } from "./api.ts";
import { mayChangeUnreported } from "./changes.ts";
import type { Repository, Snapshot } from "./changes.ts";
import { isHidden, isInside } from "./inside.ts";
import type { PendingAnswers, Request } from "./pending.ts";
import { holdVerdict, isWithin, nobodyThere, permissionVerdict } from "./policy.ts";
import { Names } from "./record/names.ts";
import type { Recorder } from "./record/recorder.ts";
import { chosenOption, permissionAnswer, questionAnswer } from "./reply.ts";

type People = Pick<SessionOptions, "onPermission" | "onQuestion" | "attended">;

export interface IntakeOptions {
  readonly recorder: Recorder;
  readonly pending: PendingAnswers;
  readonly repository: Repository;
  readonly people: People;
  readonly cwd: string;
  /** The workspace: the folder of the session and those added to it. */
  readonly folders: readonly string[];
  /** The agent lets ordinary edits pass by itself. */
  readonly keepsEdits: boolean;
  readonly mode: () => Mode;
  /** What the person chose; the agent may have narrowed it since. */
  readonly chosenMode: () => Mode;
  /** The turn is being cancelled: nothing new is asked. */
  readonly cancelling: () => boolean;
  readonly session: () => AgentSession | undefined;
  /** The agent says that it is in another mode now; the one that holds. */
  readonly followMode: (mode: Mode, planApproved: boolean) => Mode;
  /** Shows what was recorded. */
  readonly flush: () => void;
}

export class Intake {
  readonly #o: IntakeOptions;
  /** Of requests. */
  readonly #names = new Names();
  #before: Promise<Snapshot | undefined> | undefined;
  #planApproved = false;

  constructor(options: IntakeOptions) {
    this.#o = options;
  }

  take(event: Exclude<AgentEvent, { type: "turn.ended" }>): void {
    // Whatever a subagent says may make its call start.
    if (event.parent !== undefined) this.#o.recorder.knowState(this.#o.session()?.state);
    switch (event.type) {
      case "tool.held":
      case "permission.requested":
      case "question.requested":
        // What it asks twice while it waits, it asks once.
        if (this.#o.recorder.requests.waits(this.#names.nameOf(event.requestId))) return;
        return this.#asked({ ...event, requestId: this.#names.begin(event.requestId) });
      case "permission.resolved":
      case "question.resolved": {
        const requestId = this.#names.nameOf(event.requestId);
        this.#o.pending.settle(requestId);
        return this.#o.recorder.add({ ...event, requestId });
      }
      case "session.updated":
        return this.#o.recorder.add(event.mode === undefined ? event : { ...event, mode: this.#modeAfter(event.mode) });
      case "tool.started":
        void this.#watchFiles(event.tool);
        this.#o.recorder.knowState(this.#o.session()?.state);
        return this.#o.recorder.add(event);
      default:
        this.#o.recorder.add(event);
    }
  }

  /** A person's answer. Throws when nothing waits for it or it makes no sense. */
  answer(requestId: string, reply: PermissionReply | QuestionReply): void {
    if (this.#o.pending.expect(requestId) === "permission")
      this.#resolve(requestId, permissionAnswer(reply as PermissionReply), "person");
    else this.#resolveQuestion(requestId, this.#questionAnswer(requestId, reply as QuestionReply), "person");
    this.#o.flush();
  }

  /** The person chose a mode: what was approved before that counts no longer. */
  forgetPlan(): void {
    this.#planApproved = false;
  }

  /** The turn ends and nothing waits in it any more. What subagents still wait for is to be taken again, after it. */
  endPending(): readonly Request[] {
    const { pending } = this.#o;
    const left = pending.ofSubagents().map((event) => ({ ...event, requestId: this.#names.idOf(event.requestId) }));
    for (const requestId of pending.all()) pending.settle(requestId);
    return left;
  }

  /** Nothing waits any more: the turn is being cancelled. The agent is told by its own cancel. */
  cancelPending(): void {
    for (const requestId of this.#o.pending.all()) {
      const kind = this.#o.pending.kindOf(requestId);
      this.#o.pending.settle(requestId);
      if (kind === "permission") {
        this.#o.recorder.requests.resolvePermission({
          type: "permission.resolved",
          requestId,
          outcome: "cancelled",
          by: "cancel",
        });
      } else {
        this.#o.recorder.requests.resolveQuestion({
          type: "question.resolved",
          requestId,
          outcome: "cancelled",
          by: "cancel",
        });
      }
    }
    this.#o.flush();
  }

  /** Law 9, at the end of a turn: what changed and was not reported. True when it cannot be known. */
  async findChanges(): Promise<boolean> {
    const taken = this.#before;
    this.#before = undefined;
    if (taken === undefined) return false;
    const before = await taken;
    const changes = before === undefined ? undefined : await this.#o.repository.changesSince(before);
    if (changes === undefined) return true;
    const reported = this.#o.recorder.reportedFiles;
    for (const change of changes) {
      if (!reported.has(change.path)) this.#o.recorder.add({ type: "file.changed", ...change, synthetic: true });
    }
    return false;
  }

  #asked(event: AgentEventOf<"tool.held" | "permission.requested" | "question.requested">): void {
    switch (event.type) {
      case "tool.held":
        return this.#held(event);
      case "permission.requested":
        return this.#permission(event);
      case "question.requested":
        return this.#question(event);
    }
  }

  #tell(requestId: string, answer: Answer): void {
    this.#o.session()?.answer(this.#names.idOf(requestId), answer);
  }

  #watchFiles(tool: Tool): Promise<unknown> | undefined {
    if (this.#before === undefined && mayChangeUnreported(tool)) this.#before = this.#o.repository.snapshot();
    return this.#before;
  }

  #held(event: AgentEventOf<"tool.held">): void {
    const { recorder } = this.#o;
    recorder.knowState(this.#o.session()?.state);
    recorder.ensureTool(event, event.nativeName);
    const verdict = this.#holdVerdict(event.tool);
    if (verdict.decision === "deny") return this.#denyHeld(event, verdict);
    const ready = this.#watchFiles(event.tool);
    if (ready === undefined) this.#tell(event.requestId, verdict);
    // The tool waits until the state of the folder before it is known; the word on it is the one that holds then.
    else void ready.then(() => this.#releaseHeld(event));
  }

  #releaseHeld(event: AgentEventOf<"tool.held">): void {
    const verdict = this.#holdVerdict(event.tool);
    if (verdict.decision !== "deny" || this.#o.recorder.turnId === undefined)
      return this.#tell(event.requestId, verdict);
    this.#denyHeld(event, verdict);
    this.#o.flush();
  }

  #holdVerdict(tool: Tool): HoldAnswer {
    if (this.#o.cancelling()) return { decision: "deny", message: "The turn was cancelled." };
    return holdVerdict(this.#o.mode(), tool);
  }

  #denyHeld(event: AgentEventOf<"tool.held">, verdict: HoldAnswer): void {
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
    this.#tell(requestId, verdict);
  }

  #permission(event: AgentEventOf<"permission.requested">): void {
    const { recorder, people } = this.#o;
    recorder.knowState(this.#o.session()?.state);
    // Whether an agent's own plan needs approval is for the mode that the person chose to say.
    const mode = event.tool === "plan" ? this.#o.chosenMode() : this.#o.mode();
    const verdict = permissionVerdict(mode, event.tool, this.#inOrdinaryPlaces(event.locations));
    const attended = people.attended ?? people.onPermission !== undefined;
    if (this.#o.cancelling() || verdict.decision !== "ask" || !attended) {
      recorder.add(event);
      if (this.#o.cancelling())
        this.#resolve(
          event.requestId,
          { decision: "deny", message: "The turn was cancelled." },
          "cancel",
          event.options,
        );
      else if (verdict.decision === "ask")
        this.#resolve(event.requestId, { decision: "deny", message: nobodyThere }, "deadline", event.options);
      else this.#resolve(event.requestId, { ...verdict, decision: verdict.decision }, "policy", event.options);
      return;
    }
    const { deadline, signal } = this.#o.pending.add(event, () => {
      this.#resolve(event.requestId, { decision: "deny", message: "Denied: nobody answered in time." }, "deadline");
      this.#o.flush();
    });
    recorder.add({ ...event, deadline });
    if (people.onPermission === undefined) return;
    const ask = people.onPermission;
    const request = recorder.last as PermissionRequest;
    void this.#askPerson(event.requestId, signal, async () => {
      const answer = permissionAnswer(await ask(request, signal));
      this.#resolve(event.requestId, answer, "person");
    });
  }

  /** An agent may name a narrower mode than the one that holds, where it has none of its own for that. */
  #modeAfter(says: Mode): Mode {
    const holds = this.#o.followMode(says, this.#planApproved);
    if (holds !== "plan") this.#planApproved = false;
    return isWithin(says, holds) ? holds : says;
  }

  /**
   * Where an edit needs nobody's word in mode `edits`: inside the workspace, and in nothing hidden. What is hidden makes other
   * programs run: hooks of git, tasks of an editor, settings of an agent. A place that is not known is not known to be ordinary.
   */
  #inOrdinaryPlaces(locations: readonly Location[] = []): boolean {
    const { cwd, folders, keepsEdits } = this.#o;
    if (keepsEdits || locations.length === 0) return false;
    return locations.every(({ path }) => isInside(path, folders, cwd) && !isHidden(path, folders, cwd));
  }

  #question(event: AgentEventOf<"question.requested">): void {
    const { recorder, people } = this.#o;
    const attended = people.attended ?? people.onQuestion !== undefined;
    if (this.#o.cancelling() || !attended) {
      recorder.add(event);
      this.#resolveQuestion(
        event.requestId,
        { decision: "skip", message: "Nobody is there to answer." },
        this.#o.cancelling() ? "cancel" : "deadline",
      );
      return;
    }
    const { deadline, signal } = this.#o.pending.add(event, () => {
      this.#resolveQuestion(event.requestId, { decision: "skip", message: "Nobody answered in time." }, "deadline");
      this.#o.flush();
    });
    recorder.add({ ...event, deadline });
    if (people.onQuestion === undefined) return;
    const ask = people.onQuestion;
    const request = recorder.last as QuestionRequest;
    void this.#askPerson(event.requestId, signal, async () => {
      const reply = await ask(request, signal);
      // Settled meanwhile: an answer that comes too late is nothing.
      if (!signal.aborted)
        this.#resolveQuestion(event.requestId, this.#questionAnswer(event.requestId, reply), "person");
    });
  }

  #questionAnswer(requestId: string, reply: QuestionReply): QuestionAnswer {
    return questionAnswer(reply, this.#o.pending.questionsOf(requestId));
  }

  /** A callback that throws is a denial, and says so; one that answers too late is nothing. */
  async #askPerson(requestId: string, signal: AbortSignal, ask: () => Promise<void>): Promise<void> {
    try {
      // After the request was shown, so that whoever is asked has seen it.
      await Promise.resolve();
      await ask();
    } catch (thrown) {
      if (signal.aborted) return;
      const message = `The one who was asked failed: ${toReinsError(thrown).message}`;
      this.#o.recorder.say({ type: "notice", level: "error", code: "callback", message });
      if (this.#o.pending.kindOf(requestId) === "permission")
        this.#resolve(requestId, { decision: "deny", message }, "policy");
      else this.#resolveQuestion(requestId, { decision: "skip", message }, "policy");
    }
    this.#o.flush();
  }

  #resolve(
    requestId: string,
    answer: PermissionAnswer,
    by: AgentEventOf<"permission.resolved">["by"],
    offered = this.#o.pending.optionsOf(requestId),
  ): void {
    const waits = this.#o.pending.kindOf(requestId) !== undefined;
    if (!waits && !this.#o.recorder.requests.waits(requestId)) return;
    const option = chosenOption(answer, offered);
    if (answer.decision === "allow" && this.#o.pending.toolOf(requestId) === "plan") this.#planApproved = true;
    this.#o.pending.settle(requestId);
    this.#o.recorder.requests.resolvePermission({
      type: "permission.resolved",
      requestId,
      outcome: by === "cancel" ? "cancelled" : answer.decision === "allow" ? "allowed" : "denied",
      optionId: by === "cancel" ? undefined : option?.id,
      changedInput: answer.changedInput,
      stop: answer.stop,
      message: answer.message,
      by,
      rule: option?.rule,
    });
    this.#tell(requestId, { ...answer, optionId: option?.id });
  }

  #resolveQuestion(requestId: string, answer: QuestionAnswer, by: AgentEventOf<"question.resolved">["by"]): void {
    if (this.#o.pending.kindOf(requestId) === undefined && !this.#o.recorder.requests.waits(requestId)) return;
    this.#o.pending.settle(requestId);
    const answers = Object.fromEntries(
      Object.entries(answer.answers ?? {}).map(([id, value]): [string, string | string[]] => [
        id,
        typeof value === "string" ? value : [...value],
      ]),
    );
    this.#o.recorder.requests.resolveQuestion({
      type: "question.resolved",
      requestId,
      outcome: by === "cancel" ? "cancelled" : answer.decision === "answer" ? "answered" : "skipped",
      answers: answer.decision === "answer" ? answers : undefined,
      by,
    });
    this.#tell(requestId, answer);
  }
}
