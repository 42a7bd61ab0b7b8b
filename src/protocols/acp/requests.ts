/** Requests from the agent: permissions, forms (as questions) and extension methods. */
import type { AgentEvent, PermissionOption } from "../../events/types.ts";
import { rpcErrors, type JsonRpc, type Out, type RpcRequest } from "../json-rpc/index.ts";
import { named, record, records, text, type JsonObject } from "../json.ts";
import { AgentRequests, type FinalAnswer, type GivenAnswer, type ParsedRequest } from "../requests.ts";
import type { RequestedPermission } from "./calls.ts";
import { proposalOf } from "./content.ts";
import { cancelledForm, elicitedBy, formOf } from "./forms.ts";
import type { AcpAgentOptions, ExtensionCall } from "./options.ts";
import { mcpIn } from "./tools.ts";
import type { Translator } from "./translate.ts";

type WaitingCall = Extract<ExtensionCall, { readonly answered: unknown }>;

/** A pending request. `wire` builds its response; undefined for `session/request_permission`, whose response is an option. */
interface Pending {
  readonly request: ParsedRequest;
  readonly asked?: RequestedPermission | undefined;
  readonly wire?: Pick<WaitingCall, "answered" | "cancelled"> | undefined;
}

export interface AcpRequestsOptions {
  readonly name: string;
  readonly rpc: JsonRpc;
  readonly translator: Translator;
  readonly cwd: string;
  readonly quirks: AcpAgentOptions;
}

export class AcpRequests {
  readonly #o: AcpRequestsOptions;
  readonly #requests: AgentRequests<Pending>;
  /** Events caused by replies and not passed on yet. */
  #replied: AgentEvent[] = [];

  constructor(options: AcpRequestsOptions) {
    this.#o = options;
    this.#requests = new AgentRequests<Pending>({
      name: options.name,
      parse: ({ request }) => request,
      refuse: ({ request }) => request.id,
      reply: (_request, answer, pending) => void this.#replied.push(...this.#reply(pending, answer)),
    });
  }

  /** Every request gets a response, immediately when no person needs to be asked. */
  received(request: RpcRequest, out: Out): void {
    const { rpc, translator, quirks } = this.#o;
    const { id, method } = request;
    const params = record(request.params);
    if (method === "session/request_permission")
      this.#permission(id, record(params["toolCall"]), optionsIn(params["options"], quirks), undefined, out);
    else if (method === "elicitation/create") this.#form(id, params, out);
    else if (this.#isExtension(method)) this.#extension(id, method, params, out);
    else {
      rpc.refuse(id, { code: rpcErrors.methodNotFound, message: `Reins does not support ${named(method)}` });
      if (!translator.ignores(method)) translator.unexpected.refused(named(method), out);
    }
  }

  /** Handles notifications other than `session/update`. A question in a notification cannot be answered. */
  notified(method: string, params: unknown, out: Out): void {
    const { translator } = this.#o;
    if (!this.#isExtension(method)) {
      if (!translator.ignores(method)) translator.unexpected.unknown(named(method), out);
      return;
    }
    const call = this.#parseExtension(method, record(params), out);
    if (call === undefined) return;
    if (call.says !== "question") this.#update(method, call.updates, out);
    if (call.says !== "updates" && translator.running) translator.unexpected.unanswerable(named(method), out);
  }

  answer(requestId: string, given: GivenAnswer): void {
    this.#answer(requestId, given);
    this.#o.rpc.say(...this.#take());
  }

  /** Answers all pending requests because the turn is being cancelled. Returns the resulting events. */
  cancelAll(): AgentEvent[] {
    this.#requests.cancelAll();
    return this.#take();
  }

  withdrawn(requestId: string, out: Out): void {
    out.push(...this.#requests.withdrawn(requestId));
  }

  turnEnded(): void {
    this.#requests.turnEnded();
    this.#take();
  }

  #permission(
    id: string,
    toolCall: JsonObject,
    options: readonly PermissionOption[],
    wire: Pending["wire"],
    out: Out,
  ): void {
    const { rpc, translator, quirks, cwd } = this.#o;
    translator.interrupt(out);
    const asked = translator.running ? translator.calls.asked(toolCall, translator.parentOf(toolCall), out) : undefined;
    if (asked === undefined) {
      // The agent asks outside a turn, or does not name the call: there is nothing to allow.
      rpc.respond(id, wire?.cancelled ?? { outcome: cancelledOutcome });
      if (translator.running) translator.unexpected.unknown("a permission without a call", out);
      else translator.unexpected.late("a permission", out);
      return;
    }
    const call = {
      ...asked,
      input: asked.rawInput,
      reason: text(asked.said.trim()),
      diff: proposalOf(asked.diffs, cwd),
      mcp: asked.mcp ?? mcpIn(asked.nativeName),
    };
    const request = { id, kind: "permission", call, options: options.map((option) => ({ option })) } as const;
    const events = this.#requests.received({ request, asked, wire });
    const decision = quirks.verdict?.(asked, translator.facts.mode);
    if (decision !== undefined) this.#answer(id, { decision });
    out.push(...(decision === undefined ? events : this.#take()));
  }

  #form(id: string, params: JsonObject, out: Out): void {
    const { rpc, translator, quirks } = this.#o;
    const form = translator.running ? formOf(params, quirks.ownWords) : undefined;
    if (form === undefined) {
      rpc.respond(id, { action: "decline" });
      return translator.unexpected.refused("a form that cannot be shown as questions", out);
    }
    const answered = (answer: GivenAnswer): unknown => elicitedBy(answer, form);
    const callId = text(params["toolCallId"]);
    this.#question(id, { callId, questions: form.questions, answered, cancelled: cancelledForm }, out);
  }

  #question(
    id: string,
    { callId, questions, ...wire }: Omit<Extract<WaitingCall, { says: "question" }>, "says">,
    out: Out,
  ): void {
    const { translator } = this.#o;
    translator.interrupt(out);
    const call = callId !== undefined && translator.calls.knows(callId) ? { callId } : undefined;
    out.push(...this.#requests.received({ request: { id, kind: "question", questions, call }, wire }));
  }

  #extension(id: string, method: string, params: JsonObject, out: Out): void {
    const { rpc, translator } = this.#o;
    const call = this.#parseExtension(method, params, out);
    if (call === undefined) {
      rpc.refuse(id, { code: rpcErrors.invalidParams, message: `Reins does not understand this ${named(method)}` });
    } else if (call.says === "updates") {
      this.#update(method, call.updates, out);
      rpc.respond(id, call.answer);
    } else if (!translator.running) {
      rpc.respond(id, call.cancelled);
      if (!translator.replaying) translator.unexpected.late(named(method), out);
    } else if (call.says === "question") {
      this.#question(id, call, out);
    } else {
      this.#update(method, call.updates, out);
      this.#permission(id, call.call, call.options, call, out);
    }
  }

  #isExtension(method: string): boolean {
    return Object.hasOwn(this.#o.quirks.methods ?? {}, method);
  }

  #parseExtension(method: string, params: JsonObject, out: Out): ExtensionCall | undefined {
    const { translator, quirks } = this.#o;
    const call = quirks.methods?.[method]?.(params, (callId) => translator.calls.knows(callId));
    if (call === undefined) translator.unexpected.unknown(named(method), out);
    return call;
  }

  #update(method: string, updates: readonly JsonObject[], out: Out): void {
    const { translator } = this.#o;
    if (translator.running) for (const update of updates) translator.update(update, out);
    else if (!translator.replaying) translator.unexpected.late(named(method), out);
  }

  /** ACP cannot carry a changed input, so an answer that changes it becomes a denial. */
  #answer(requestId: string, given: GivenAnswer): void {
    const cancelled = this.#o.translator.cancelling || given.cancelled === true;
    const decision = given.changedInput === undefined ? given.decision : "deny";
    this.#requests.answer(requestId, { ...given, decision, cancelled });
  }

  #reply({ request, asked, wire }: Pending, answer: FinalAnswer): AgentEvent[] {
    const { rpc, translator, quirks } = this.#o;
    const { calls, facts } = translator;
    const isCancelled = answer.decision === "cancel";
    const option = "option" in answer ? answer.option?.option.id : undefined;
    if (wire !== undefined) rpc.respond(request.id, isCancelled ? wire.cancelled : wire.answered(answer));
    else if (asked === undefined || option === undefined) rpc.respond(request.id, { outcome: cancelledOutcome });
    else {
      const optionId = quirks.sent?.(option, asked, facts.mode) ?? option;
      rpc.respond(request.id, { outcome: { outcome: "selected", optionId } });
    }
    if (asked === undefined) return [];
    const allowed = answer.decision === "allow";
    if (allowed && asked.tool === "plan") facts.planApproved();
    if (wire !== undefined && !isCancelled) return calls.settled(asked.callId, allowed);
    if (allowed) calls.allowed(asked.callId);
    else if (quirks.silentDenials === true) return calls.denied(asked.callId, isCancelled ? "cancelled" : "denied");
    return [];
  }

  #take(): AgentEvent[] {
    return this.#replied.splice(0);
  }
}

const cancelledOutcome = { outcome: "cancelled" };

const optionKinds: readonly PermissionOption["kind"][] = ["allow_once", "allow_always", "reject_once", "reject_always"];

/** The response to a request that is cancelled before the user was asked. */
export function cancelledResponse(method: string): object {
  return method === "elicitation/create" ? cancelledForm : { outcome: cancelledOutcome };
}

/** Reads the options that Reins understands. An option of an unknown kind is not offered. */
export function optionsIn(value: unknown, quirks: AcpAgentOptions): PermissionOption[] {
  const options = new Map<string, PermissionOption>();
  for (const { optionId, name, kind: given } of records(value)) {
    const id = text(optionId);
    const kind = optionKinds.find((one) => one === given);
    if (id === undefined || options.has(id) || kind === undefined) continue;
    const scope = quirks.scopes?.[id] ?? (kind.endsWith("_once") ? "once" : undefined);
    options.set(id, { id, kind, label: text(name) ?? id, ...(scope === undefined ? {} : { scope }) });
  }
  return [...options.values()];
}
