/** Calls that wait for Reins, questions, and, beside them, what OpenCode's own rules ask about. A person is asked once about a call. */
import { isRecord, record, text } from "../../drivers/stream-json/read.ts";
import type { Wire } from "../../drivers/stream-json/read.ts";
import type { AgentEvent, Question } from "../../events/types.ts";
import type { Answer, HoldAnswer, PermissionAnswer, QuestionAnswer } from "../contract.ts";
import type { HoldReply } from "./hold-plugin.ts";
import { NativeRules } from "./native-rules.ts";
import type { Reach } from "./native-rules.ts";
import { isAlways, isDenial, isStop, optionsWith } from "../shared/permission-options.ts";
import { optionsForPlan } from "./permission-options.ts";
import { answersOf, questionsOf } from "./questions.ts";
import type { Rule } from "../shared/session-rules.ts";
import type { Rules } from "./rules.ts";
import type { Sessions } from "./sessions.ts";
import { fileBefore, proposedDiff } from "./tools-files.ts";
import type { FileBefore } from "../shared/file-before.ts";
import { toolCall } from "./tools.ts";
import type { Naming } from "./tools.ts";
import type { Calls } from "./translate-calls.ts";

interface HeldCall {
  readonly holdId: string;
  readonly callId: string;
  readonly nativeName: string;
  readonly input: unknown;
  readonly before: FileBefore | undefined;
  readonly parent: string | undefined;
}

type Pending =
  | { readonly kind: "hold"; readonly call: HeldCall }
  | { readonly kind: "permission"; readonly call: HeldCall; readonly rule: Rule }
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
  readonly rules: Rules;
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
    const { sessions, rules } = this.#o;
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
    if (rules.forbids(nativeName)) {
      this.#o.calls.denied(callId);
      return this.#refuse(holdId, `The tool ${nativeName} is not allowed here.`);
    }
    return this.#whenTold(session, callId, () => {
      const parent = sessions.parentOf(session);
      const call = { holdId, callId, nativeName, input, before, parent };
      this.#pending.set(holdId, { kind: "hold", call });
      const { tool: canonical, title, locations, mcp } = toolCall(nativeName, input, this.#o);
      const held = { requestId: holdId, callId, tool: canonical, nativeName, title, input, locations, mcp, parent };
      return [{ type: "tool.held", ...held }];
    });
  }

  question(params: unknown): AgentEvent[] {
    const asked = record(params);
    const [id, session] = [text(asked["id"]), text(asked["sessionID"])];
    if (id === undefined || session === undefined || !this.#o.sessions.isOurs(session)) return [];
    const callId = this.#o.sessions.callId(session, text(record(asked["tool"])["callID"]) ?? id);
    const questions = questionsOf(asked["questions"]);
    // A plan was approved before its tool ran, and now it asks for itself.
    if (this.#o.calls.find(callId)?.nativeName === "plan_exit") {
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
        return void this.#holdAnswered(pending.call, answer as HoldAnswer);
      case "permission":
        return this.#permissionAnswered(pending.call, pending.rule, answer as PermissionAnswer);
      case "question":
        return this.#o.post(`/question/${requestId}/reply`, {
          answers: answersOf(pending.questions, answer as QuestionAnswer),
        });
      default:
    }
  }

  /** The turn is being ended: nothing that waits runs. It is answered when the turn is over, so that nobody goes on from a denial. */
  stopAll(): void {
    for (const pending of this.#pending.values())
      if (pending.kind === "hold" || pending.kind === "permission") this.#stopped.push(pending.call);
    this.#pending.clear();
    this.native.clear();
  }

  turnEnded(): void {
    this.stopAll();
    for (const { holdId } of this.#stopped) this.#o.release(holdId, { decision: "deny", message: "The turn is over." });
    this.#stopped = [];
    this.#allowed.clear();
  }

  async #holdAnswered(call: HeldCall, { decision, message }: HoldAnswer): Promise<void> {
    const { rules } = this.#o;
    if (decision === "deny") return this.#deny(call, message);
    if (decision === "allow") return this.#allow(call, "whole");
    if (call.nativeName === "plan_exit") return this.#askPlan(call);
    if (decision === "defer" && (await rules.allows(call.nativeName, call.input)))
      return this.#allow(call, rules.permits(call.nativeName) ? "tool" : undefined);
    this.#ask(call, await rules.ruleFor(call.nativeName, call.input));
  }

  #ask(call: HeldCall, rule: Rule): void {
    const { callId, nativeName, input, before, parent } = call;
    const requestId = `${call.holdId}-ask`;
    this.#pending.set(requestId, { kind: "permission", call, rule });
    const { tool, title, locations, mcp } = toolCall(nativeName, input, this.#o);
    const diff = proposedDiff(before, nativeName, record(input), this.#o.cwd);
    const options = optionsWith(rule);
    const asked = { requestId, callId, tool, title, input, locations, diff, mcp, options, parent };
    this.#o.say([{ type: "permission.requested", ...asked }]);
  }

  async #askPlan(call: HeldCall): Promise<void> {
    const { callId, parent } = call;
    const requestId = `${call.holdId}-ask`;
    this.#pending.set(requestId, { kind: "permission", call, rule: { key: "plan", label: "plans" } });
    const plan = await this.#o.plan();
    const input = { ...record(call.input), plan };
    const asked = { requestId, callId, tool: "plan" as const, title: "Plan", input, options: optionsForPlan(), parent };
    this.#o.say([{ type: "permission.requested", ...asked }]);
  }

  #permissionAnswered(call: HeldCall, rule: Rule, answer: PermissionAnswer): void {
    const { changedInput: changed, message } = answer;
    if (isDenial(answer)) {
      this.#o.calls.denied(call.callId);
      if (!isStop(answer)) return this.#deny(call, message);
      this.#stopped.push(call);
      return this.#o.stop();
    }
    if (changed !== undefined && !isRecord(changed))
      return this.#deny(call, "The changed input was not an object, so the tool did not run.");
    if (isAlways(answer)) this.#o.rules.allowAlways(rule);
    this.#allow(call, "whole", changed);
  }

  #allow(call: HeldCall, reach: Reach | undefined, input?: Wire): void {
    if (reach !== undefined) this.#allowed.set(call.callId, reach);
    if (input !== undefined)
      this.#o.say(this.#o.calls.changed(call.callId, input, fileBefore(call.nativeName, input, this.#o.cwd)));
    this.#o.release(call.holdId, { decision: "allow", input });
  }

  #deny({ holdId, callId }: HeldCall, message: string | undefined): void {
    this.#o.calls.denied(callId);
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
