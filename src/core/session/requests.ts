/** Permissions, questions and held tools: the table of pending requests. Each is answered at most once and resolved once (law 3). */
import type { PermissionAnswer, QuestionAnswer } from "../../agents/contract.ts";
import { ReinsError } from "../../events/errors.ts";
import type { AgentEventOf, PermissionOption } from "../../events/types.ts";
import type { Mode } from "../../events/modes.ts";
import type { Tool } from "../../events/tools.ts";
import type { PermissionReply, QuestionReply } from "../api.ts";
import { mayChangeUnreported } from "../../workspace/snapshot.ts";
import { followedMode, isWithin, nobodyThere } from "../permissions/decide.ts";
import { alwaysOption, optionsForGrant, optionsWith, sessionOption } from "../permissions/options.ts";
import { chosenOption, permissionAnswer, questionAnswer } from "../permissions/replies.ts";
import { explainVerdict } from "../policy/policy.ts";
import type { Verdict } from "../policy/decide.ts";
import { formatRule } from "../policy/rule.ts";
import type { SessionDecision } from "./decision.ts";
import {
  isStopped,
  modeInForce,
  type CommandSource,
  type HeldAnswer,
  type PendingRequest,
  type RequestEvent,
  type SessionState,
} from "./state.ts";
import type { Step } from "./step.ts";

type Permission = AgentEventOf<"permission.requested">;
type Held = AgentEventOf<"tool.held">;
type ResolvedBy = AgentEventOf<"permission.resolved">["by"];

type Asked = Pick<PendingRequest, "nativeId" | "origin" | "leg" | "held" | "grant">;

/** `nativeId` is the agent's own id; the event carries the id that readers see. */
export function requested(step: Step, event: RequestEvent, nativeId: string): void {
  const asked: Asked = { nativeId, origin: "agent", leg: step.state.leg.id };
  if (event.type === "tool.held") hold(step, event, asked);
  else if (event.type === "permission.requested") permission(step, event, asked);
  else question(step, event, asked);
}

export function afterRequested(step: Step, event: Permission, source: CommandSource): void {
  permission(step, event, { nativeId: event.requestId, origin: "after_step", leg: step.state.leg.id }, source);
}

/** Validates a user's answer. Throws when no request waits for it or it is invalid. */
export function checkedAnswer(
  { requests }: SessionState,
  requestId: string,
  reply: PermissionReply | QuestionReply,
): PermissionAnswer | QuestionAnswer {
  const pending = requests.get(requestId);
  if (pending?.status !== "asking")
    throw new ReinsError(
      "invalid_input",
      `No request ${requestId} is waiting for an answer; it may be settled already.`,
    );
  const { event } = pending;
  if (event.type === "question.requested") {
    const asked = event.questions.map(({ id }) => id);
    return questionAnswer(reply as QuestionReply, asked);
  }
  const answer = permissionAnswer(reply as PermissionReply);
  if (event.type === "permission.requested") chosenOption(answer, event.options);
  return answer;
}

export function answered(step: Step, requestId: string, answer: PermissionAnswer | QuestionAnswer): void {
  const pending = step.state.requests.get(requestId);
  if (pending?.status !== "asking") return;
  if (pending.event.type === "question.requested") resolveQuestion(step, requestId, answer as QuestionAnswer, "person");
  else resolvePermission(step, requestId, answer as PermissionAnswer, "person");
}

export function askFailed(step: Step, requestId: string, message: string): void {
  if (!step.state.requests.has(requestId)) return;
  step.notice("error", "callback", message);
  refuse(step, requestId, message, message, "policy");
}

export function timedOut(step: Step, requestId: string): void {
  refuse(step, requestId, "Denied: nobody answered in time.", "Nobody answered in time.", "deadline");
}

function refuse(step: Step, requestId: string, denial: string, skip: string, by: "policy" | "deadline"): void {
  if (step.state.requests.get(requestId)?.event.type === "question.requested")
    resolveQuestion(step, requestId, { decision: "skip", message: skip }, by);
  else resolvePermission(step, requestId, { decision: "deny", message: denial }, by);
}

export function withdrawn(step: Step, event: AgentEventOf<"permission.resolved" | "question.resolved">): void {
  remove(step, event.requestId);
  step.set({ heldAnswers: step.state.heldAnswers.filter(({ requestId }) => requestId !== event.requestId) });
  step.record(event);
}

/** The turn is being cancelled. Only held tools are answered; a permission that was not sent yet is denied. */
export function cancelRequests(step: Step): void {
  const { requests, heldAnswers } = step.state;
  step.set({ heldAnswers: [] });
  for (const held of heldAnswers)
    tell(step, { ...held, answer: { decision: "deny", message: "The turn was cancelled.", cancelled: true } });
  for (const [requestId, { event, status, ...asked }] of requests) {
    remove(step, requestId);
    if (status === "holding") settleHold(step, event as Held, asked);
    else if (event.type === "question.requested")
      step.record({ type: "question.resolved", requestId, outcome: "cancelled", by: "cancel" });
    else step.record({ type: "permission.resolved", requestId, outcome: "cancelled", by: "cancel" });
  }
}

/** The turn ends; the recorder resolves open requests. Returns those of background subagents, under the agent's own ids. */
export function endRequests(step: Step): readonly RequestEvent[] {
  const left: RequestEvent[] = [];
  for (const [requestId, { event, status, ...asked }] of step.state.requests) {
    remove(step, requestId);
    if (status === "holding") tellHold(step, event as Held, asked, step.rules.decide(event as Held, step.state));
    else if (event.parent !== undefined) left.push({ ...(asked.held ?? event), requestId: asked.nativeId });
  }
  return left;
}

/** Before a tool that may change files without reporting it, take a snapshot of the folder. */
export function beforeTool(step: Step, tool: Tool): void {
  if (!mayChangeUnreported(tool)) return;
  takeSnapshot(step);
  step.set({ snapshot: { ...step.state.snapshot, ran: true } });
}

export function takeSnapshot(step: Step): void {
  const { snapshot } = step.state;
  if (snapshot.is !== "none") return;
  const id = snapshot.id + 1;
  step.set({ snapshot: { ...snapshot, is: "taking", id } });
  step.do({ do: "take_snapshot", id });
}

/** The snapshot is done: held tools are decided again, with the current mode. */
export function snapshotTaken(step: Step, id: number): void {
  const { requests, heldAnswers, snapshot } = step.state;
  if (snapshot.id !== id) return;
  if (snapshot.is === "taking") step.set({ snapshot: { ...snapshot, is: "taken" } });
  step.set({ heldAnswers: [] });
  for (const answer of heldAnswers) tell(step, answer);
  for (const [requestId, { event, status, ...asked }] of requests) {
    if (status !== "holding") continue;
    remove(step, requestId);
    const held = event as Held;
    if (step.state.turn === undefined) tellHold(step, held, asked, step.rules.decide(held, step.state));
    else settleHold(step, held, asked);
  }
}

/** The mode to record when the agent reports another mode. It never widens the mode that the user selected. */
export function followMode(step: Step, says: Mode): Mode {
  const { confirmedMode: current, chosenMode, planApproved } = step.state.settings;
  const confirmedMode = followedMode(current, says, chosenMode, planApproved);
  step.settings({ confirmedMode, planApproved: planApproved && confirmedMode === "plan" });
  const holds = modeInForce(step.state);
  // An agent without the mode in force may report a narrower one.
  return isWithin(says, holds) ? holds : says;
}

function hold(step: Step, event: Held, asked: Asked): void {
  step.do({ do: "record.tool", tool: event, nativeName: event.nativeName });
  const decision = step.rules.decide(event, step.state);
  if (decision.decision !== "deny") {
    beforeTool(step, event.tool);
    if (step.state.snapshot.is === "taking") return add(step, { event, ...asked, status: "holding" });
  }
  settleHold(step, event, asked, decision);
}

/**
 * Records denials and decisions by rules. A request is asked at once with judge `reins`; an agent that judges itself
 * asks, which is recorded then.
 */
function settleHold(step: Step, event: Held, asked: Asked, decision = step.rules.decide(event, step.state)): void {
  const { judge } = step.state.settings.active.agent.capabilities;
  if (decision.decision === "ask" && judge === "reins") return askAboutHeld(step, event, asked, decision);
  const byRule = decision.decision === "allow" && decision.rule !== undefined;
  const isShown = byRule || (decision.decision === "deny" && decision.silent !== true);
  if (isShown) {
    const cancelled = isStopped(step.state);
    const { requestId, callId, tool, title, input, locations, mcp, parent } = event;
    const call = { callId, tool, title, input, locations, mcp, parent };
    step.record({ type: "permission.requested", requestId, ...call, options: [], synthetic: true });
    step.record({
      type: "permission.resolved",
      requestId,
      outcome: cancelled ? "cancelled" : decision.decision === "allow" ? "allowed" : "denied",
      by: cancelled ? "cancel" : "policy",
      message: decision.message,
      rule: decision.rule && formatRule(decision.rule.rule),
      parent,
      synthetic: true,
    });
  }
  tellHold(step, event, asked, decision);
}

function askAboutHeld(step: Step, held: Held, asked: Asked, { rule, grant, outside }: SessionDecision): void {
  const { type: _type, nativeName: _name, filter: _filter, guessed: _guessed, ...call } = held;
  const reason =
    held.reason ?? (rule && explainVerdict(rule)) ?? (outside ? "It is outside of the workspace." : undefined);
  const options = optionsForGrant(grant!);
  const event: Permission = { ...call, type: "permission.requested", ...(reason !== undefined && { reason }), options };
  if (isAttended(step.state, "onPermission")) return askPermission(step, event, { ...asked, held, grant });
  step.record(event);
  add(step, { event, ...asked, held, status: "asking" });
  resolvePermission(step, event.requestId, { decision: "deny", message: nobodyThere }, "deadline");
}

function tellHold(step: Step, { requestId }: Held, asked: Asked, decided: SessionDecision): void {
  const { nativeId, origin, leg } = asked;
  const { decision, message, unasked } = decided;
  const denial = { decision, message, ...(isStopped(step.state) && { cancelled: true as const }) };
  const answer = decision === "deny" ? denial : unasked === true ? { decision, unasked } : { decision };
  tell(step, { requestId, nativeId, origin, leg, answer });
}

function permission(step: Step, given: Permission, asked: Asked, source?: CommandSource): void {
  const { decision, message, rule } = step.rules.decide(given, step.state, source);
  const event =
    rule !== undefined && decision === "ask" ? { ...given, reason: given.reason ?? explainVerdict(rule) } : given;
  if (decision === "ask" && isAttended(step.state, "onPermission")) return askPermission(step, event, asked);
  step.record(event);
  add(step, { event, ...asked, status: "asking" });
  if (isStopped(step.state)) resolvePermission(step, event.requestId, { decision: "deny", message }, "cancel");
  else if (decision === "allow" || decision === "deny")
    resolvePermission(step, event.requestId, { decision, message }, "policy", rule);
  else resolvePermission(step, event.requestId, { decision: "deny", message: nobodyThere }, "deadline");
}

function askPermission(step: Step, given: Permission, asked: Asked): void {
  const { policy } = step.state.settings.active;
  const { settings } = step.state;
  const offer = policy.offer(given, given.tool === "plan" ? settings.chosenMode : modeInForce(step.state));
  const options = optionsWith(given.options, offer, policy.narrows(given.tool));
  const isOffered = options.some(({ id }) => id === alwaysOption);
  const event = { ...given, options: [...options], ...patience(step, "permission") };
  step.record(event);
  add(step, { event, ...asked, status: "asking", rule: isOffered ? offer?.rule : undefined });
  ask(step, event.requestId, "permission", settings.people.onPermission !== undefined);
}

function question(step: Step, given: AgentEventOf<"question.requested">, asked: Asked): void {
  const isAsked = !isStopped(step.state) && isAttended(step.state, "onQuestion");
  const event = isAsked ? { ...given, ...patience(step, "question") } : given;
  step.record(event);
  add(step, { event, ...asked, status: "asking" });
  if (isAsked) return ask(step, event.requestId, "question", step.state.settings.people.onQuestion !== undefined);
  const by = isStopped(step.state) ? "cancel" : "deadline";
  resolveQuestion(step, event.requestId, { decision: "skip", message: "Nobody is there to answer." }, by);
}

function ask(step: Step, requestId: string, kind: "permission" | "question", hasCallback: boolean): void {
  if (!step.state.present) step.do({ do: "timer.start", id: `request:${requestId}`, ms: step.rules.deadlines[kind] });
  if (hasCallback) step.do({ do: "ask", requestId });
}

function resolvePermission(
  step: Step,
  requestId: string,
  given: PermissionAnswer,
  by: ResolvedBy,
  rule?: Verdict,
): void {
  const pending = step.state.requests.get(requestId);
  if (pending?.event.type !== "permission.requested") return;
  const { event, nativeId, origin, leg } = pending;
  const option = optionOf(given, event.options);
  const denied = by === "person" ? changedInputDenied(step, event, origin, given) : undefined;
  const answer = denied === undefined ? given : { decision: "deny" as const, message: denied.message };
  const [verdict, decider] = denied === undefined ? [rule, by] : [denied.verdict, "policy" as const];
  remove(step, requestId);
  if (answer.decision === "allow" && event.tool === "plan" && by === "person") step.settings({ planApproved: true });
  step.record({
    type: "permission.resolved",
    requestId,
    outcome: by === "cancel" ? "cancelled" : answer.decision === "allow" ? "allowed" : "denied",
    optionId: by === "cancel" || denied !== undefined ? undefined : option?.id,
    changedInput: answer.changedInput,
    stop: answer.stop,
    message: answer.message,
    by: decider,
    rule: verdict === undefined ? option?.rule : formatRule(verdict.rule),
  });
  const isOurs = option?.id === alwaysOption;
  // A call with changed input is not the call that was allowed permanently.
  const isAllowedAsAsked = answer.decision === "allow" && answer.changedInput === undefined;
  if (option?.id === sessionOption && isAllowedAsAsked && pending.grant !== undefined)
    step.set({ grants: new Set(step.state.grants).add(pending.grant.key) });
  if (isOurs && isAllowedAsAsked && pending.rule !== undefined) step.do({ do: "save_rule", rule: pending.rule });
  // The agent need not remember what Reins remembers.
  const told = denied === undefined && !isOurs ? option : optionOf({ decision: answer.decision }, event.options);
  const { message, always, ...rest } = answer;
  tell(step, {
    requestId,
    nativeId,
    origin,
    leg,
    answer: {
      ...rest,
      ...(!isOurs && { always }),
      ...(answer.decision === "deny" && { message }),
      ...(by === "cancel" && { cancelled: true }),
      optionId: told?.id,
    },
  });
}

function resolveQuestion(
  step: Step,
  requestId: string,
  answer: QuestionAnswer,
  by: AgentEventOf<"question.resolved">["by"],
): void {
  const pending = step.state.requests.get(requestId);
  if (pending?.event.type !== "question.requested") return;
  remove(step, requestId);
  const answers = Object.entries(answer.answers ?? {}).map(([id, value]): [string, string | string[]] => [
    id,
    typeof value === "string" ? value : [...value],
  ]);
  step.record({
    type: "question.resolved",
    requestId,
    outcome: by === "cancel" ? "cancelled" : answer.decision === "answer" ? "answered" : "skipped",
    answers: answer.decision === "answer" ? Object.fromEntries(answers) : undefined,
    by,
  });
  const { nativeId, origin, leg } = pending;
  const sent = by === "cancel" ? { ...answer, cancelled: true as const } : answer;
  tell(step, { requestId, nativeId, origin, leg, answer: sent });
}

/** A permission may start the tool at once, so it must wait for the snapshot. */
function tell(step: Step, answer: HeldAnswer): void {
  const { snapshot, leg, heldAnswers } = step.state;
  if (snapshot.is === "taking" && answer.answer.decision === "allow")
    step.set({ heldAnswers: [...heldAnswers, answer] });
  else if (answer.origin === "after_step")
    step.do({ do: "after.answer", requestId: answer.requestId, answer: answer.answer });
  else if (leg.is === "ready" && leg.id === answer.leg)
    step.do({ do: "agent.answer", leg: leg.id, requestId: answer.nativeId, answer: answer.answer });
}

/** Checks an input that the user changed: the rules apply to it, and an agent that cannot accept it must not run the old one. */
function changedInputDenied(
  step: Step,
  { tool, inputChangeable }: Permission,
  origin: PendingRequest["origin"],
  { decision, changedInput }: PermissionAnswer,
): { readonly message: string; readonly verdict?: Verdict } | undefined {
  if (decision !== "allow" || changedInput === undefined) return undefined;
  const { agent, policy } = step.state.settings.active;
  if (origin === "agent" && !(inputChangeable ?? agent.capabilities.changedInput))
    return { message: `${agent.name} cannot run a tool with another input, so it did not run.` };
  const verdict = policy.verdict({ tool, input: changedInput });
  return verdict?.decision === "deny" ? { message: explainVerdict(verdict), verdict } : undefined;
}

function optionOf(answer: PermissionAnswer, options: readonly PermissionOption[]): PermissionOption | undefined {
  try {
    return chosenOption(answer, options);
  } catch {
    return undefined;
  }
}

function isAttended({ settings: { people } }: SessionState, callback: "onPermission" | "onQuestion"): boolean {
  return people.attended ?? people[callback] !== undefined;
}

type Patience = { readonly deadline: string } | { readonly waits: true };

function patience(step: Step, kind: "permission" | "question"): Patience {
  return step.state.present ? { waits: true } : { deadline: deadline(step, kind) };
}

export function deadline(step: Step, kind: "permission" | "question"): string {
  return new Date(step.rules.now() + step.rules.deadlines[kind]).toISOString();
}

function add(step: Step, pending: PendingRequest): void {
  step.set({ requests: new Map(step.state.requests).set(pending.event.requestId, pending) });
}

function remove(step: Step, requestId: string): void {
  const pending = step.state.requests.get(requestId);
  if (pending === undefined) return;
  const requests = new Map(step.state.requests);
  requests.delete(requestId);
  step.set({ requests });
  // A held call may be asked about next, under the same id.
  if (pending.status === "asking") step.do({ do: "request.settled", requestId });
}
