/** Calls that wait for Reins, questions, and, beside them, what OpenCode's own rules ask about. A person is asked once about a call. */
import type { Mode } from "../../events/modes.ts";
import type { AgentEvent, PermissionOption, Question } from "../../events/types.ts";
import { isRecord, record, text } from "../../protocols/json.ts";
import type { JsonObject } from "../../protocols/json.ts";
import type { Workspace } from "../../workspace/real-paths.ts";
import type { Answer, HoldAnswer, PermissionAnswer, QuestionAnswer } from "../contract.ts";
import { isDenial, isStop } from "../shared/permission-options.ts";
import { questionsIn } from "../shared/requests.ts";
import type { ToolNames } from "../shared/tool-filter.ts";
import type { HoldReply } from "./hold-plugin.ts";
import { NativeRules } from "./native-rules.ts";
import type { Reach } from "./native-rules.ts";
import { isPlanEdit } from "./plan-file.ts";
import { fileBefore, proposedDiff, toolCall } from "./tools.ts";
import type { Naming } from "./tools.ts";
import type { Calls, Sessions } from "./translate-calls.ts";

interface HeldCall {
  readonly holdId: string;
  readonly callId: string;
  readonly nativeName: string;
  readonly input: unknown;
  readonly parent: string | undefined;
}

type Pending =
  | { readonly kind: "hold"; readonly call: HeldCall }
  | { readonly kind: "question"; readonly id: string; readonly questions: readonly Question[] };

/** Something about a call of which nothing was told yet. */
interface Early {
  readonly session: string;
  readonly callId: string;
  readonly events: () => AgentEvent[];
  /** Beats of its heart since then. */
  beats: number;
}

/** After so many, of ten seconds each, it is asked about whatever was told. */
const patience = 3;

export interface PermissionsOptions extends Naming {
  readonly names: ToolNames;
  readonly mode: () => Mode;
  readonly workspace: Workspace;
  /** Where its agent for planning writes its plan down. */
  readonly planFiles?: readonly string[] | undefined;
  readonly calls: Calls;
  readonly sessions: Sessions;
  /** Answers a call that waits. */
  readonly release: (holdId: string, reply: HoldReply) => void;
  /** Answers what its own rules, or a question, wait for. */
  readonly post: (path: string, body: object) => void;
  readonly say: (events: readonly AgentEvent[]) => void;
  /** The plan that is put up for approval. */
  readonly plan: () => Promise<string>;
  /** Ends the turn. */
  readonly stop: () => void;
}

export class Permissions {
  readonly native: NativeRules;
  readonly #o: PermissionsOptions;
  readonly #pending = new Map<string, Pending>();
  #early: Early[] = [];
  /** Calls that somebody allowed. */
  readonly #allowed = new Map<string, Reach>();
  /** Calls of a turn that is being ended, to be answered when it is over. */
  #stopped: HeldCall[] = [];

  constructor(options: PermissionsOptions) {
    this.#o = options;
    this.native = new NativeRules({
      ...options,
      reachOf: (callId) => this.#allowed.get(callId),
      whenTold: (session, callId, events) => this.#whenTold(session, callId, events),
    });
  }

  /** Our plugin asks about a call. */
  held(holdId: string, params: unknown): AgentEvent[] {
    const { tool, sessionID, callID, input } = record(params);
    const [nativeName, session, nativeId] = [text(tool), text(sessionID), text(callID)];
    const { sessions, names } = this.#o;
    if (nativeName === undefined || session === undefined || nativeId === undefined || !isRecord(input))
      return this.#refuse(holdId, undefined);
    // It only tells the model that it called something wrongly.
    if (nativeName === "invalid") {
      this.#o.release(holdId, { decision: "allow" });
      return [];
    }
    const callId = sessions.callId(session, nativeId);
    const before = fileBefore(nativeName, input, this.#o.cwd);
    this.#o.calls.held(callId, before);
    // What the caller took away is refused at once: nobody is told of it, so it need not wait for what is told of the call.
    if (names.filterOf(nativeName) === "disallowed") {
      this.#o.calls.stopped(callId);
      return this.#refuse(holdId, `The tool ${nativeName} is not allowed here.`);
    }
    return this.#whenTold(session, callId, () => {
      const parent = sessions.parentOf(session);
      const call = { holdId, callId, nativeName, input, parent };
      this.#pending.set(holdId, { kind: "hold", call });
      const filter = names.filterOf(nativeName);
      if (nativeName === "plan_exit") {
        void this.#askPlan(call);
        return [];
      }
      const known = toolCall(nativeName, input, this.#o);
      const { title, locations, mcp } = known;
      const { planFiles = [], workspace } = this.#o;
      // It may write the plan, and only there; the plan itself is approved by a person.
      const isPlan = this.#o.mode() === "plan" && isPlanEdit(known, planFiles, workspace);
      const diff = proposedDiff(before, nativeName, input, this.#o.cwd);
      const named = { callId, tool: isPlan ? ("plan" as const) : known.tool, nativeName, title, input, parent };
      return [{ type: "tool.held", requestId: holdId, ...named, locations, mcp, diff, filter }];
    });
  }

  question(params: unknown): AgentEvent[] {
    const asked = record(params);
    const [id, session] = [text(asked["id"]), text(asked["sessionID"])];
    if (id === undefined || session === undefined || !this.#o.sessions.isOurs(session)) return [];
    const callId = this.#o.sessions.callId(session, text(record(asked["tool"])["callID"]) ?? id);
    const questions = questionsOf(asked["questions"]);
    // A plan was approved before its tool ran, and now it asks for itself.
    if (this.#o.calls.find(callId)?.call.name === "plan_exit") {
      const yes = questions.map(({ options }) => [options[0]?.label ?? "Yes"]);
      this.#o.post(`/question/${id}/reply`, { answers: yes });
      return [];
    }
    return this.#whenTold(session, callId, () => {
      this.#pending.set(id, { kind: "question", id, questions });
      const parent = this.#o.sessions.parentOf(session);
      return [{ type: "question.requested", requestId: id, callId, questions, parent }];
    });
  }

  /** What can be asked now that more was told, or its heart beat, which may be heard before what was told earlier. */
  flush(beat = false): AgentEvent[] {
    const { calls, sessions } = this.#o;
    if (beat) for (const early of this.#early) early.beats++;
    const ready = this.#early.filter(
      ({ session, callId, beats }) =>
        beats >= patience || (sessions.isPlaced(session) && calls.find(callId) !== undefined),
    );
    this.#early = this.#early.filter((early) => !ready.includes(early));
    return ready.flatMap(({ events }) => events());
  }

  answer(requestId: string, answer: Answer): void {
    if (this.native.answer(requestId, answer as PermissionAnswer)) return;
    const pending = this.#pending.get(requestId);
    this.#pending.delete(requestId);
    switch (pending?.kind) {
      case "hold":
        return this.#holdAnswered(pending.call, answer as HoldAnswer);
      case "question":
        return this.#o.post(`/question/${requestId}/reply`, {
          answers: answersOf(pending.questions, answer as QuestionAnswer),
        });
      default:
    }
  }

  /** The turn is being ended: nothing that waits runs. It is answered when the turn is over, so that nobody goes on from a denial. */
  stopAll(): void {
    for (const pending of this.#pending.values()) if (pending.kind === "hold") this.#stopped.push(pending.call);
    this.#pending.clear();
    this.native.clear();
  }

  turnEnded(): void {
    this.stopAll();
    for (const { holdId } of this.#stopped) this.#o.release(holdId, { decision: "deny", message: "The turn is over." });
    this.#stopped = [];
    this.#allowed.clear();
  }

  #holdAnswered(call: HeldCall, answer: HoldAnswer): void {
    const { message, changedInput, unasked } = answer;
    if (isDenial(answer)) {
      if (!isStop(answer)) return this.#deny(call, message);
      this.#o.calls.stopped(call.callId);
      this.#stopped.push(call);
      return this.#o.stop();
    }
    if (changedInput !== undefined && !isRecord(changedInput))
      return this.#deny(call, "The changed input was not an object, so the tool did not run.");
    const named = this.#o.names.filterOf(call.nativeName) === "allowed" ? "tool" : undefined;
    this.#allow(call, unasked === true ? named : "whole", changedInput);
  }

  /** A plan is asked for by itself, whatever the mode says about other calls. */
  async #askPlan({ holdId, callId, input, parent }: HeldCall): Promise<void> {
    const plan = await this.#o.plan();
    const asked = {
      requestId: holdId,
      callId,
      tool: "plan" as const,
      title: "Plan",
      options: optionsForPlan(),
      parent,
    };
    this.#o.say([{ type: "permission.requested", ...asked, input: { ...record(input), plan } }]);
  }

  #allow(call: HeldCall, reach: Reach | undefined, input?: JsonObject): void {
    if (reach !== undefined) this.#allowed.set(call.callId, reach);
    if (input !== undefined)
      this.#o.say(this.#o.calls.inputChanged(call.callId, input, fileBefore(call.nativeName, input, this.#o.cwd)));
    this.#o.release(call.holdId, { decision: "allow", input });
  }

  #deny({ holdId, callId }: HeldCall, message: string | undefined): void {
    this.#o.calls.stopped(callId);
    this.#refuse(holdId, message);
  }

  #refuse(holdId: string, message: string | undefined): AgentEvent[] {
    this.#o.release(holdId, { decision: "deny", message });
    return [];
  }

  /** What is told of a call comes another way than what is asked about it, and may come later. */
  #whenTold(session: string, callId: string, events: () => AgentEvent[]): AgentEvent[] {
    if (this.#o.sessions.isPlaced(session) && this.#o.calls.find(callId) !== undefined) return events();
    this.#early.push({ session, callId, events, beats: 0 });
    return [];
  }
}

/** What a person may answer to a plan. */
export function optionsForPlan(): PermissionOption[] {
  return [
    { id: "allow", kind: "allow_once", label: "Approve the plan", scope: "once" },
    { id: "deny", kind: "reject_once", label: "Keep planning", scope: "once" },
    { id: "stop", kind: "reject_once", label: "Reject the plan and stop", scope: "once" },
  ];
}

/** Its questions, and answers as it wants them: for each question a list, in their order. */

export const questionsOf = (asked: unknown): Question[] =>
  questionsIn(asked, ({ multiple, custom }) => ({ multiple: multiple === true, free: custom !== false }));

/** A question that is dismissed would end the turn; so the model is told in the place of an answer. */
export function answersOf(questions: readonly Question[], { decision, answers, message }: QuestionAnswer): string[][] {
  return questions.map(({ id }) => {
    const answer = decision === "answer" ? answers?.[id] : undefined;
    if (answer === undefined) return [message ?? "No answer."];
    return typeof answer === "string" ? [answer] : [...answer];
  });
}
