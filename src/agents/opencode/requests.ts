/** Calls that the plugin holds, questions, and requests of OpenCode's own rules. A person is asked once about a call. */
import { sep } from "node:path";
import type { Mode } from "../../events/modes.ts";
import type { AgentEvent, Question } from "../../events/types.ts";
import { isRecord, record, text, texts, type JsonObject } from "../../protocols/json.ts";
import { AgentRequests, type FinalAnswer, type NativeOption, type ParsedRequest } from "../../protocols/requests.ts";
import { isInside, type Workspace } from "../../workspace/real-paths.ts";
import type { Answer } from "../contract.ts";
import { hunksOf, type FileBefore } from "../shared/file-before.ts";
import { optionsAround, questionsIn } from "../shared/requests.ts";
import type { ToolNames } from "../shared/tool-filter.ts";
import type { HoldReply } from "./hold-plugin.ts";
import { isPlanEdit } from "./plan-file.ts";
import { fileBefore, proposedDiff, toolCall, type Naming } from "./tools.ts";
import type { Calls, Sessions } from "./translate-calls.ts";

export interface RequestsOptions extends Naming {
  readonly names: ToolNames;
  readonly mode: () => Mode;
  readonly workspace: Workspace;
  /** Files in which the planning agent writes its plan. */
  readonly planFiles?: readonly string[] | undefined;
  readonly calls: Calls;
  readonly sessions: Sessions;
  readonly release: (holdId: string, reply: HoldReply) => void;
  /** Answers the server: a question, or a request of its own rules. */
  readonly post: (path: string, body: object) => void;
  readonly say: (events: readonly AgentEvent[]) => void;
  /** The plan that waits for approval. */
  readonly plan: () => Promise<string>;
  readonly stop: () => void;
  readonly isStopping: () => boolean;
}

interface About {
  readonly id: string;
  readonly session: string;
  readonly callId: string;
}

interface HeldCall extends About {
  readonly from: "plugin";
  readonly nativeName: string;
  readonly input: JsonObject;
  readonly before: FileBefore | undefined;
}

interface RuleRequest extends About {
  readonly from: "rules";
  readonly permission: string;
  readonly wire: JsonObject;
}

type Asked = HeldCall | RuleRequest | (About & { readonly from: "question"; readonly questions: readonly Question[] });

/** A request about a call that the event stream has not reported yet: the plugin asks over another channel. */
interface EarlyRequest {
  readonly asked: Asked;
  /** Heartbeats of the server since then. */
  beats: number;
}

/** After this many heartbeats, ten seconds apart, the request is made without its call. */
const patience = 3;

/** How far a call was allowed: entirely, or only the tool as such. */
type Reach = "whole" | "tool";

const reasons: Readonly<Record<string, string>> = {
  external_directory: "It is outside of the workspace.",
  doom_loop: "The model has made the same call several times.",
};

const planOptions: readonly NativeOption<string>[] = [
  { option: { id: "allow", kind: "allow_once", label: "Approve the plan", scope: "once" } },
  { option: { id: "deny", kind: "reject_once", label: "Keep planning", scope: "once" } },
  { option: { id: "stop", kind: "reject_once", label: "Reject the plan and stop", scope: "once" }, stop: true },
];

export class OpencodeRequests {
  readonly #o: RequestsOptions;
  /** The choice of an option is the key of the rule that it allows for the session. */
  readonly #requests: AgentRequests<Asked, string>;
  #early: EarlyRequest[] = [];
  /** Calls that were allowed, by a person or the policy. */
  readonly #allowed = new Map<string, Reach>();
  /** Ids of the message parts whose held call was answered. A call id may be used again: a new hold with it belongs to the next call. */
  readonly #answeredParts = new Set<string>();
  /** Rules that a person allowed for the session. */
  readonly #always = new Set<string>();
  /** Holds of a turn that is being ended. They are answered when it has ended, so that the model does not continue after a denial. */
  #stopped: string[] = [];

  constructor(options: RequestsOptions) {
    this.#o = options;
    this.#requests = new AgentRequests({
      name: "OpenCode",
      asksAboutHolds: true,
      parse: (asked) => this.#parse(asked),
      refuse: ({ id }) => id,
      reply: (_request, answer, asked) => this.#reply(answer, asked),
      abandon: ({ from, id }) => {
        if (from === "plugin") this.#o.release(id, { decision: "deny", message: "The call is over." });
      },
      details: ({ kind, call }) =>
        kind === "permission" && call.nativeName === "plan_exit"
          ? this.#o.plan().then((plan) => ({ input: { ...record(call.input), plan } }))
          : undefined,
      say: (events) => this.#o.say(events),
    });
  }

  /** Handles a request of the plugin about a call. */
  held(id: string, params: unknown): AgentEvent[] {
    const { tool, sessionID, callID, input } = record(params);
    const [nativeName, session, nativeId] = [text(tool), text(sessionID), text(callID)];
    const { names, sessions, calls, cwd, release } = this.#o;
    const isWhole = nativeName !== undefined && session !== undefined && nativeId !== undefined && isRecord(input);
    // The tool `invalid` only tells the model that its call was malformed.
    if (!isWhole || nativeName === "invalid") {
      release(id, { decision: isWhole ? "allow" : "deny" });
      return [];
    }
    const callId = sessions.callId(session, nativeId);
    const before = fileBefore(nativeName, input, cwd);
    calls.held(callId, before);
    // Refused without a request, so there is no need to wait for the event of the call.
    if (names.filterOf(nativeName) === "disallowed") {
      calls.stopped(callId);
      this.#answeredPart(callId);
      release(id, { decision: "deny", message: `The tool ${nativeName} is not allowed here.` });
      return [];
    }
    return this.#whenCallKnown({ from: "plugin", id, session, callId, nativeName, input, before });
  }

  /** Handles a request of OpenCode's own rules. Allows a call that was already allowed entirely. */
  permission(params: unknown): AgentEvent[] {
    const wire = record(params);
    const [id, session, permission] = [text(wire["id"]), text(wire["sessionID"]), text(wire["permission"])];
    if (id === undefined || session === undefined || permission === undefined) return [];
    if (!this.#o.sessions.isOurs(session)) {
      this.#replyToRules(id, "reject", "Nobody is there.");
      return [];
    }
    const callId = this.#callIdIn(wire, session, id);
    const patterns = texts(wire["patterns"]);
    const reach = this.#allowed.get(callId);
    const isCovered = reach === "whole" || (reach === "tool" && reasons[permission] === undefined);
    const isKnownPlace = permission === "external_directory" && this.#areInside(patterns);
    if (!isCovered && !isKnownPlace && !this.#always.has(ruleKey(permission, patterns)))
      return this.#whenCallKnown({ from: "rules", id, session, callId, permission, wire });
    this.#replyToRules(id, "once");
    return [];
  }

  question(params: unknown): AgentEvent[] {
    const asked = record(params);
    const [id, session] = [text(asked["id"]), text(asked["sessionID"])];
    if (id === undefined || session === undefined || !this.#o.sessions.isOurs(session)) return [];
    const callId = this.#callIdIn(asked, session, id);
    const questions = questionsOf(asked["questions"]);
    // The tool of an approved plan asks again by itself.
    if (this.#o.calls.find(callId)?.call.name === "plan_exit") {
      this.#o.post(`/question/${id}/reply`, { answers: questions.map(({ options }) => [options[0]?.label ?? "Yes"]) });
      return [];
    }
    return this.#whenCallKnown({ from: "question", id, session, callId, questions });
  }

  /** Makes early requests whose call is known by now, or that waited for too many heartbeats. */
  flush(isHeartbeat = false): AgentEvent[] {
    if (isHeartbeat) for (const early of this.#early) early.beats++;
    const ready = this.#early.filter(({ asked, beats }) => beats >= patience || this.#isCallKnown(asked));
    this.#early = this.#early.filter((early) => !ready.includes(early));
    return ready.flatMap(({ asked }) => this.#requests.received(asked));
  }

  answer(requestId: string, answer: Answer): void {
    this.#requests.answer(requestId, answer);
  }

  withdrawn(requestId: string): AgentEvent[] {
    this.#early = this.#early.filter(({ asked }) => asked.id !== requestId);
    return this.#requests.withdrawn(requestId);
  }

  callEnded(callId: string): AgentEvent[] {
    return this.#requests.callEnded(callId);
  }

  /** Called when the turn is being ended: no pending call runs. */
  cancelAll(): void {
    this.#requests.cancelAll();
  }

  turnEnded(): void {
    this.#requests.turnEnded();
    for (const id of this.#stopped) this.#o.release(id, { decision: "deny", message: "The turn is over." });
    this.#stopped = [];
    this.#allowed.clear();
    this.#answeredParts.clear();
  }

  #parse(asked: Asked): ParsedRequest<string> {
    const { id, callId, session } = asked;
    const parent = this.#o.sessions.parentOf(session);
    if (asked.from === "question")
      return { id, kind: "question", questions: asked.questions, call: { callId, parent } };
    if (asked.from === "rules") return this.#ruleRequest(asked, parent);
    const { nativeName, input, before } = asked;
    const { cwd, names, mode, planFiles = [], workspace } = this.#o;
    const known = toolCall(nativeName, input, this.#o);
    const call = { callId, tool: known.tool, nativeName, title: known.title, input, parent };
    if (nativeName === "plan_exit")
      return { id, kind: "permission", call: { ...call, tool: "plan", title: "Plan" }, options: planOptions };
    // The planning agent may write its plan and nothing else; a person approves the plan itself.
    const isPlan = mode() === "plan" && isPlanEdit(known, planFiles, workspace);
    const diff = proposedDiff(before, nativeName, input, cwd);
    const { locations, mcp } = known;
    const tool = isPlan ? "plan" : known.tool;
    return { id, kind: "hold", call: { ...call, tool, locations, mcp, diff, filter: names.filterOf(nativeName) } };
  }

  #ruleRequest({ id, callId, permission, wire }: RuleRequest, parent: string | undefined): ParsedRequest<string> {
    const known = this.#o.calls.find(callId)?.call;
    const metadata = record(wire["metadata"]);
    const input = known?.input ?? metadata;
    const { kind: _kind, ...described } = toolCall(known?.name ?? permission, input, this.#o);
    const diff = hunksOf(text(metadata["diff"]), described.locations?.[0]?.path ?? "file");
    const patterns = texts(wire["patterns"]);
    const places = patterns.join(", ");
    const label = permission === "external_directory" ? places : `${permission} ${places}`;
    const always = `Always allow ${label} in this session`;
    const option = { id: "always", kind: "allow_always", label: always, scope: "session", rule: label } as const;
    const options = optionsAround([{ option, choice: ruleKey(permission, patterns) }]);
    const call = { ...described, callId, input, reason: reasons[permission], diff, parent };
    // The reply to its rules cannot contain another input.
    return { id, kind: "permission", call, options, inputChangeable: false };
  }

  #reply(answer: FinalAnswer<string>, asked: Asked): void {
    if (asked.from === "plugin") return this.#answerHold(asked, answer);
    // The server drops pending requests when a turn is aborted.
    if (answer.decision === "cancel") return;
    const { post, calls, stop } = this.#o;
    if (asked.from === "question")
      return post(`/question/${asked.id}/reply`, { answers: answersOf(asked.questions, answer) });
    if (answer.decision === "allow") {
      if (answer.option?.choice !== undefined) this.#always.add(answer.option.choice);
      return this.#replyToRules(asked.id, "once");
    }
    calls.stopped(asked.callId);
    // Without a message to the model a denial would end the turn.
    this.#replyToRules(asked.id, "reject", ("message" in answer && answer.message) || "This was not allowed.");
    if (answer.decision === "deny" && answer.stop) stop();
  }

  #answerHold({ id, callId, nativeName }: HeldCall, answer: FinalAnswer<string>): void {
    const { calls, names, release, stop, isStopping, say, cwd } = this.#o;
    this.#answeredPart(callId);
    if (answer.decision === "allow") {
      const { input } = answer;
      const reach = answer.unasked !== true ? "whole" : names.filterOf(nativeName) === "allowed" ? "tool" : undefined;
      if (reach === undefined) this.#allowed.delete(callId);
      else this.#allowed.set(callId, reach);
      if (input !== undefined) say(calls.inputChanged(callId, input, fileBefore(nativeName, input, cwd)));
      return release(id, { decision: "allow", input });
    }
    const isCancelled = answer.decision === "cancel";
    const isStop = answer.decision === "deny" && answer.stop;
    if (!isCancelled) calls.stopped(callId);
    if (isStop || (isCancelled && isStopping())) this.#stopped.push(id);
    else release(id, { decision: "deny", message: "message" in answer ? answer.message : undefined });
    if (isStop) stop();
  }

  #areInside(patterns: readonly string[]): boolean {
    const { cwd, folders } = this.#o.workspace;
    const isKnown = (pattern: string) => isInside(pattern.replace(/[/\\]?\*+$/, "") || sep, folders, cwd);
    return patterns.length > 0 && patterns.every(isKnown);
  }

  #replyToRules(id: string, reply: "once" | "reject", message?: string): void {
    this.#o.post(`/permission/${id}/reply`, { reply, message });
  }

  #callIdIn(wire: JsonObject, session: string, otherwise: string): string {
    return this.#o.sessions.callId(session, text(record(wire["tool"])["callID"]) ?? otherwise);
  }

  #whenCallKnown(asked: Asked): AgentEvent[] {
    if (this.#isCallKnown(asked)) return this.#requests.received(asked);
    this.#early.push({ asked, beats: 0 });
    return [];
  }

  #answeredPart(callId: string): void {
    const part = this.#o.calls.find(callId)?.call.partId;
    if (part !== undefined) this.#answeredParts.add(part);
  }

  #isCallKnown({ from, session, callId }: Asked): boolean {
    const part = this.#o.calls.find(callId)?.call.partId;
    if (part === undefined || !this.#o.sessions.isPlaced(session)) return false;
    return from !== "plugin" || !this.#answeredParts.has(part);
  }
}

const ruleKey = (permission: string, patterns: readonly string[]): string => `${permission} ${patterns.join("\n")}`;

const questionsOf = (asked: unknown): Question[] =>
  questionsIn(asked, ({ multiple, custom }) => ({ multiple: multiple === true, free: custom !== false }));

/** A list for each question. Dismissing a question would end the turn, so the model gets a text in place of an answer. */
function answersOf(questions: readonly Question[], answer: FinalAnswer<string>): string[][] {
  const answers = answer.decision === "answer" ? answer.answers : {};
  const otherwise = ("message" in answer && answer.message) || "No answer.";
  return questions.map(({ id }) => [answers[id] ?? otherwise].flat());
}
