/** Permissions and questions: decided by the policy, else by a person, else at their deadline; each once. */
import type { Answer, PermissionAnswer, QuestionAnswer } from "../agents/contract.ts";
import { toReinsError } from "../events/errors.ts";
import type { Mode } from "../events/modes.ts";
import type { AgentEventOf, Location } from "../events/types.ts";
import type { PermissionReply, PermissionRequest, QuestionReply, QuestionRequest, SessionOptions } from "./api.ts";
import { isHidden, isInside } from "./inside.ts";
import type { PendingAnswers, Request } from "./pending.ts";
import type { Verdict } from "./policy/decide.ts";
import { nobodyThere, permissionVerdict, withRule } from "./policy/mode.ts";
import { alwaysOption, optionsWith } from "./policy/options.ts";
import { because } from "./policy/policy.ts";
import type { Policy } from "./policy/policy.ts";
import { said } from "./policy/rule.ts";
import type { Rule } from "./policy/rule.ts";
import type { Recorder } from "./record/recorder.ts";
import { chosenOption, permissionAnswer, questionAnswer } from "./reply.ts";

/** Who answers. */
export type People = Pick<SessionOptions, "onPermission" | "onQuestion" | "attended">;

export interface AskingOptions {
  readonly recorder: Recorder;
  readonly pending: PendingAnswers;
  readonly people: () => People;
  readonly cwd: string;
  /** The workspace: the folder of the session and those added to it. */
  readonly folders: readonly string[];
  /** The agent lets ordinary edits pass by itself. */
  readonly keepsEdits: () => boolean;
  readonly mode: () => Mode;
  /** The rules, for the agent that has the session now. */
  readonly policy: () => Policy;
  /** What the person chose; the agent may have narrowed it since. */
  readonly chosenMode: () => Mode;
  /** The turn is being cancelled: nothing new is asked. */
  readonly cancelling: () => boolean;
  /** Of the agent, as far as it is known. */
  readonly state: () => string | undefined;
  readonly tell: (requestId: string, answer: Answer) => void;
  /** Shows what was recorded. */
  readonly flush: () => void;
}

export type CommandWriter = "person" | "project";

/** Who wrote a command down has said yes to it already, unless it came with a project: then a mode is not enough of a yes. */
function written(verdict: ReturnType<typeof permissionVerdict>, whose: CommandWriter | undefined): typeof verdict {
  if (whose === "person" && verdict.decision === "ask") return { decision: "allow" };
  return whose === "project" && verdict.decision === "allow" ? { decision: "ask" } : verdict;
}

export class Asking {
  readonly #o: AskingOptions;
  /** Somebody approved a plan, and the agent has not left its planning since. */
  planApproved = false;
  /** What `always` would add, by request. */
  readonly #offers = new Map<string, Rule>();

  constructor(options: AskingOptions) {
    this.#o = options;
  }

  /** A person's answer. Throws when nothing waits for it or it makes no sense. */
  answer(requestId: string, reply: PermissionReply | QuestionReply): void {
    if (this.#o.pending.expect(requestId) === "permission")
      this.#resolve(requestId, permissionAnswer(reply as PermissionReply), "person");
    else this.#resolveQuestion(requestId, this.#questionAnswer(requestId, reply as QuestionReply), "person");
    this.#o.flush();
  }

  /** The turn ends and nothing waits in it any more. What subagents still wait for is to be taken again, after it. */
  endPending(): readonly Request[] {
    const { pending } = this.#o;
    const left = pending.ofSubagents();
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

  /** `whose`: who wrote down a command that is not the agent's. */
  permission(given: AgentEventOf<"permission.requested">, whose?: CommandWriter): void {
    const { recorder } = this.#o;
    const people = this.#o.people();
    recorder.knowState(this.#o.state());
    // Whether an agent's own plan needs approval is for the mode that the person chose to say.
    const mode = given.tool === "plan" ? this.#o.chosenMode() : this.#o.mode();
    const byMode = written(permissionVerdict(mode, given.tool, this.#inOrdinaryPlaces(given.locations)), whose);
    const rule = this.#o.policy().verdict(given);
    const byRule = withRule(byMode, rule?.decision, mode, given.tool);
    const event = rule !== undefined && byRule === "ask" ? { ...given, reason: given.reason ?? because(rule) } : given;
    const verdict =
      rule === undefined || byRule === undefined ? byMode : { decision: byRule, message: because(rule), rule };
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
      else {
        const { decision, message } = verdict;
        this.#resolve(
          event.requestId,
          { decision, message },
          "policy",
          event.options,
          "rule" in verdict ? verdict.rule : undefined,
        );
      }
      return;
    }
    const asked = this.#offered(event, mode);
    const { deadline, signal } = this.#o.pending.add(asked, () => {
      this.#resolve(event.requestId, { decision: "deny", message: "Denied: nobody answered in time." }, "deadline");
      this.#o.flush();
    });
    recorder.add({ ...asked, deadline });
    if (people.onPermission === undefined) return;
    const ask = people.onPermission;
    const request = recorder.last as PermissionRequest;
    void this.#askPerson(event.requestId, signal, async () => {
      const answer = permissionAnswer(await ask(request, signal));
      this.#resolve(event.requestId, answer, "person");
    });
  }

  /** With what `always` would add. */
  #offered(event: AgentEventOf<"permission.requested">, mode: Mode): AgentEventOf<"permission.requested"> {
    const policy = this.#o.policy();
    const offer = policy.offer(event, mode);
    const options = optionsWith(event.options, offer, policy.narrows(event.tool));
    if (offer !== undefined && options.some(({ id }) => id === alwaysOption))
      this.#offers.set(event.requestId, offer.rule);
    return { ...event, options: [...options] };
  }

  question(event: AgentEventOf<"question.requested">): void {
    const { recorder } = this.#o;
    const people = this.#o.people();
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

  /**
   * Where an edit needs nobody's word in mode `edits`: inside the workspace, and in nothing hidden. What is hidden makes other
   * programs run: hooks of git, tasks of an editor, settings of an agent. A place that is not known is not known to be ordinary.
   */
  #inOrdinaryPlaces(locations: readonly Location[] = []): boolean {
    const { cwd, folders, keepsEdits } = this.#o;
    if (keepsEdits() || locations.length === 0) return false;
    return locations.every(({ path }) => isInside(path, folders, cwd) && !isHidden(path, folders, cwd));
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
    given: PermissionAnswer,
    by: AgentEventOf<"permission.resolved">["by"],
    offered = this.#o.pending.optionsOf(requestId),
    rule?: Verdict,
  ): void {
    const waits = this.#o.pending.kindOf(requestId) !== undefined;
    if (!waits && !this.#o.recorder.requests.waits(requestId)) return;
    const option = chosenOption(given, offered);
    const denied = by === "person" ? this.#denies(requestId, given) : undefined;
    const answer = denied === undefined ? given : { decision: "deny" as const, message: because(denied) };
    const [verdict, decider] = denied === undefined ? [rule, by] : [denied, "policy" as const];
    const always = option?.id === alwaysOption && answer.decision === "allow" ? this.#offers.get(requestId) : undefined;
    this.#offers.delete(requestId);
    if (answer.decision === "allow" && this.#o.pending.toolOf(requestId) === "plan") this.planApproved = true;
    this.#o.pending.settle(requestId);
    this.#o.recorder.requests.resolvePermission({
      type: "permission.resolved",
      requestId,
      outcome: by === "cancel" ? "cancelled" : answer.decision === "allow" ? "allowed" : "denied",
      optionId: by === "cancel" || denied !== undefined ? undefined : option?.id,
      changedInput: answer.changedInput,
      stop: answer.stop,
      message: answer.message,
      by: decider,
      rule: verdict === undefined ? option?.rule : said(verdict.rule),
    });
    if (always !== undefined) this.#remember(always);
    // What Reins remembers the agent need not.
    const told =
      denied === undefined && option?.id !== alwaysOption
        ? option
        : chosenOption({ decision: answer.decision }, offered);
    const { message, always: _always, ...rest } = answer;
    this.#o.tell(requestId, {
      ...rest,
      ...(option?.id !== alwaysOption && { always: answer.always }),
      ...(answer.decision === "deny" && { message }),
      optionId: told?.id,
    });
  }

  /** What a person puts in place of an input is looked at like any other. */
  #denies(requestId: string, { decision, changedInput }: PermissionAnswer): Verdict | undefined {
    const tool = this.#o.pending.toolOf(requestId);
    if (decision !== "allow" || changedInput === undefined || tool === undefined) return undefined;
    const verdict = this.#o.policy().verdict({ tool, input: changedInput });
    return verdict?.decision === "deny" ? verdict : undefined;
  }

  #remember(rule: Rule): void {
    const trouble = this.#o.policy().remember(rule);
    if (trouble === undefined) return;
    this.#o.recorder.say({ type: "notice", level: "warning", code: "policy", message: trouble });
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
    this.#o.tell(requestId, answer);
  }
}
