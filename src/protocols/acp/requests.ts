/** What the agent asks of a person: permissions, and forms as questions. Each is answered once. */
import type { AgentEvent, PermissionOption } from "../../events/types.ts";
import { rpcErrors } from "../json-rpc/index.ts";
import type { JsonRpc, Out, RpcRequest } from "../json-rpc/index.ts";
import { named, record, records, text } from "../json.ts";
import type { JsonObject } from "../json.ts";
import type { Asked } from "./calls.ts";
import { proposalOf } from "./content.ts";
import { cancelledForm, elicitedBy, formOf } from "./forms.ts";
import type { AcpMeaning, AcpQuirks } from "./options.ts";
import { mcpIn } from "./tools.ts";
import type { Translator } from "./translate.ts";
import type { AcpAnswer } from "./types.ts";

type Questions = Omit<Extract<AcpMeaning, { says: "question" }>, "says">;
export type Reply = Pick<Questions, "answered" | "cancelled">;

type Pending =
  | {
      readonly kind: "permission";
      readonly options: readonly PermissionOption[];
      readonly asked: Asked;
      /** By a method of its own. */
      readonly reply?: Reply | undefined;
    }
  | { readonly kind: "question"; readonly reply: Reply };

export interface AskingOptions {
  readonly rpc: JsonRpc;
  readonly translator: Translator;
  readonly cwd: string;
  readonly quirks: AcpQuirks;
}

export class Asking {
  readonly #o: AskingOptions;
  readonly #pending = new Map<string, Pending>();

  constructor(options: AskingOptions) {
    this.#o = options;
  }

  permission(request: RpcRequest, out: Out): void {
    const params = record(request.params);
    this.permissionFor(
      request,
      record(params["toolCall"]),
      optionsIn(params["options"], this.#o.quirks),
      undefined,
      out,
    );
  }

  /** `reply`: where it was asked by a method of the agent's own. */
  permissionFor(
    request: RpcRequest,
    toolCall: JsonObject,
    options: readonly PermissionOption[],
    reply: Reply | undefined,
    out: Out,
  ): void {
    const { rpc, translator, quirks, cwd } = this.#o;
    translator.interrupt(out);
    const asked = translator.running ? translator.calls.asked(toolCall, translator.parentOf(toolCall), out) : undefined;
    if (asked === undefined) {
      // Nobody prompted it, or it does not say for what: nothing that could be allowed.
      rpc.respond(request.id, reply?.cancelled ?? { outcome: cancelledOutcome });
      if (translator.running) translator.strays.unknown("a permission without a call", out);
      else translator.strays.late("a permission", out);
      return;
    }
    this.#pending.set(request.id, { kind: "permission", asked, options, reply });
    const decision = quirks.verdict?.(asked, translator.facts.mode);
    if (decision !== undefined) {
      out.push(...this.#answer(request.id, { decision }));
      return;
    }
    out.push({
      type: "permission.requested",
      requestId: request.id,
      callId: asked.callId,
      tool: asked.tool,
      title: asked.title,
      input: asked.rawInput,
      reason: text(asked.said.trim()),
      locations: asked.locations,
      diff: proposalOf(asked.diffs, cwd),
      mcp: asked.mcp ?? mcpIn(asked.nativeName),
      options: [...options],
      parent: asked.parent,
    });
  }

  form(request: RpcRequest, out: Out): void {
    const { rpc, translator, quirks } = this.#o;
    const params = record(request.params);
    const form = translator.running ? formOf(params, quirks.ownWords) : undefined;
    if (form === undefined) {
      rpc.respond(request.id, { action: "decline" });
      return translator.strays.refused("something that is no form of questions", out);
    }
    this.question(
      request,
      {
        callId: text(params["toolCallId"]),
        questions: form.questions,
        answered: (answer) => elicitedBy(answer, form),
        cancelled: cancelledForm,
      },
      out,
    );
  }

  question(request: RpcRequest, asked: Questions, out: Out): void {
    const { translator } = this.#o;
    translator.interrupt(out);
    this.#pending.set(request.id, { kind: "question", reply: asked });
    const callId = translator.calls.knows(asked.callId) ? asked.callId : undefined;
    out.push({ type: "question.requested", requestId: request.id, callId, questions: [...asked.questions] });
  }

  answer(requestId: string, answer: AcpAnswer): void {
    for (const event of this.#answer(requestId, answer)) this.#o.rpc.say(event);
  }

  /** What there is to say about it. */
  #answer(requestId: string, answer: AcpAnswer): AgentEvent[] {
    const pending = this.#pending.get(requestId);
    if (pending === undefined) return [];
    this.#pending.delete(requestId);
    const { rpc, translator, quirks } = this.#o;
    const { reply } = pending;
    const cancelled = translator.cancelling || answer.cancelled === true;
    if (reply !== undefined) rpc.respond(requestId, cancelled ? reply.cancelled : reply.answered(answer));
    if (pending.kind === "question") return [];
    const { asked, options } = pending;
    if (reply !== undefined) {
      if (cancelled) return [];
      const allowed = answer.decision === "allow" && answer.changedInput === undefined;
      if (allowed && asked.tool === "plan") translator.facts.planApproved();
      return [translator.calls.settled(asked.callId, allowed) ?? []].flat();
    }
    const meant = cancelled ? cancelledOutcome : outcomeFor(answer, options);
    const sent =
      meant.outcome === "selected"
        ? (quirks.sent?.(meant.optionId, asked, translator.facts.mode) ?? meant.optionId)
        : "";
    rpc.respond(requestId, { outcome: meant.outcome === "selected" ? { ...meant, optionId: sent } : meant });
    // An allow that the wire cannot carry goes out as a rejection.
    if (answer.decision === "allow" && answer.changedInput === undefined && meant.outcome === "selected") {
      translator.calls.allowed(asked.callId);
      if (asked.tool === "plan") translator.facts.planApproved();
      return [];
    }
    const reason = cancelled ? "cancelled" : "denied";
    const ended = quirks.silentDenials === true ? translator.calls.denied(asked.callId, reason) : undefined;
    return ended === undefined ? [] : [ended];
  }

  /** The turn is called off: whatever waits is called off too. What there is to say about it. */
  cancelAll(): AgentEvent[] {
    const { rpc, translator, quirks } = this.#o;
    const all = [...this.#pending];
    this.#pending.clear();
    return all.flatMap(([requestId, pending]): AgentEvent[] => {
      const { reply } = pending;
      rpc.respond(requestId, reply === undefined ? { outcome: cancelledOutcome } : reply.cancelled);
      if (pending.kind === "question" || quirks.silentDenials !== true) return [];
      const ended = translator.calls.denied(pending.asked.callId, "cancelled");
      return ended === undefined ? [] : [ended];
    });
  }

  /** The agent no longer waits for it. */
  withdrawn(requestId: string, out: Out): void {
    const pending = this.#pending.get(requestId);
    if (pending === undefined) return;
    this.#pending.delete(requestId);
    const type = pending.kind === "permission" ? "permission.resolved" : "question.resolved";
    out.push({ type, requestId, outcome: "cancelled", by: "agent" });
  }

  /** The turn is over, and with it what was asked in it. */
  turnEnded(): void {
    this.cancelAll();
  }
}

type Kind = PermissionOption["kind"];

const optionKinds: ReadonlySet<unknown> = new Set<Kind>(["allow_once", "allow_always", "reject_once", "reject_always"]);

/** Those we understand: one that nobody knows the meaning of is not offered. */
export function optionsIn(value: unknown, quirks: AcpQuirks): PermissionOption[] {
  const options = new Map<string, PermissionOption>();
  for (const { optionId, name, kind } of records(value)) {
    const id = text(optionId);
    if (id === undefined || options.has(id) || !optionKinds.has(kind)) continue;
    const scope = quirks.scopes?.[id] ?? (String(kind).endsWith("_once") ? "once" : undefined);
    options.set(id, { id, kind: kind as Kind, label: text(name) ?? id, ...(scope === undefined ? {} : { scope }) });
  }
  return [...options.values()];
}

/** The answer to `session/request_permission`. */
export type PermissionOutcome =
  | { readonly outcome: "selected"; readonly optionId: string }
  | { readonly outcome: "cancelled" };

export const cancelledOutcome: PermissionOutcome = { outcome: "cancelled" };

/**
 * Never more than was meant: what was allowed once does not become an `always`, and what was allowed with another input is not
 * run with its own, because ACP cannot carry the other. Where nothing offered means the answer, the call is called off.
 */
export function outcomeFor(answer: AcpAnswer, options: readonly PermissionOption[]): PermissionOutcome {
  const allowed = answer.decision === "allow" && answer.changedInput === undefined;
  const wanted = allowed ? "allow" : "reject";
  const named = options.find(({ id, kind }) => id === answer.optionId && kind.startsWith(wanted));
  const once = options.find(({ kind }) => kind === `${wanted}_once`);
  const always = options.find(({ kind }) => kind === `${wanted}_always`);
  const chosen = named ?? (answer.always === true ? (always ?? once) : once) ?? (allowed ? undefined : always);
  return chosen === undefined ? cancelledOutcome : { outcome: "selected", optionId: chosen.id };
}

export interface OwnMethodsOptions {
  readonly rpc: JsonRpc;
  readonly translator: Translator;
  readonly asking: Asking;
  readonly quirks: AcpQuirks;
}

/** Methods that an agent has beside the protocol, as its options explain them. Each request is answered, also when nobody can. */
export class OwnMethods {
  readonly #o: OwnMethodsOptions;

  constructor(options: OwnMethodsOptions) {
    this.#o = options;
  }

  /** False where it has no such method. */
  asked(request: RpcRequest, out: Out): boolean {
    const { rpc, translator, asking } = this.#o;
    const { id, method, params } = request;
    if (!this.#has(method)) return false;
    const means = this.#meaning(method, params, out);
    if (means === undefined) {
      rpc.refuse(id, { code: rpcErrors.invalidParams, message: `Reins does not understand this ${named(method)}` });
    } else if (means.says === "updates") {
      this.#tell(method, means.updates, out);
      rpc.respond(id, means.answer);
    } else if (!translator.running) {
      rpc.respond(id, means.cancelled);
      if (!translator.replaying) translator.strays.late(named(method), out);
    } else if (means.says === "question") {
      asking.question(request, means, out);
    } else {
      this.#tell(method, means.updates, out);
      asking.permissionFor(request, means.call, means.options, means, out);
    }
    return true;
  }

  /** The same as a notification: what it asks, nobody can answer. */
  told(method: string, params: unknown, out: Out): boolean {
    const { translator } = this.#o;
    if (!this.#has(method)) return false;
    const means = this.#meaning(method, params, out);
    if (means === undefined) return true;
    if (means.says !== "question") this.#tell(method, means.updates, out);
    if (means.says !== "updates" && translator.running) translator.strays.unanswerable(named(method), out);
    return true;
  }

  #has(method: string): boolean {
    return Object.hasOwn(this.#o.quirks.methods ?? {}, method);
  }

  #meaning(method: string, params: unknown, out: Out): AcpMeaning | undefined {
    const { translator, quirks } = this.#o;
    const means = quirks.methods?.[method]?.(record(params), (callId) => translator.calls.knows(callId));
    if (means === undefined) translator.strays.unknown(named(method), out);
    return means;
  }

  #tell(method: string, updates: readonly JsonObject[], out: Out): void {
    const { translator } = this.#o;
    if (translator.running) for (const update of updates) translator.update(update, out);
    else if (!translator.replaying) translator.strays.late(named(method), out);
  }
}
