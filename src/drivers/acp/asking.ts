/** What the agent asks of a person: permissions, and forms as questions. Each is answered once. */
import type { AgentEvent, PermissionOption } from "../../events/types.ts";
import type { JsonRpc, Out, RpcRequest } from "../json-rpc/index.ts";
import type { Asked } from "./calls.ts";
import { proposalOf } from "./changes.ts";
import { cancelledForm, elicitedBy, formOf } from "./elicitation.ts";
import { cancelledOutcome, optionsIn, outcomeFor } from "./permissions.ts";
import type { AcpMeaning, AcpQuirks } from "./quirks.ts";
import { record, text } from "./read.ts";
import type { Wire } from "./read.ts";
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
    toolCall: Wire,
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
    if (reply !== undefined) rpc.respond(requestId, translator.cancelling ? reply.cancelled : reply.answered(answer));
    if (pending.kind === "question") return [];
    const { asked, options } = pending;
    if (reply !== undefined) {
      if (translator.cancelling) return [];
      const allowed = answer.decision === "allow" && answer.changedInput === undefined;
      if (allowed && asked.tool === "plan") translator.facts.planApproved();
      return [translator.calls.settled(asked.callId, allowed) ?? []].flat();
    }
    const meant = translator.cancelling ? cancelledOutcome : outcomeFor(answer, options);
    const sent =
      meant.outcome === "selected"
        ? (quirks.sent?.(meant.optionId, asked, translator.facts.mode) ?? meant.optionId)
        : "";
    rpc.respond(requestId, { outcome: meant.outcome === "selected" ? { ...meant, optionId: sent } : meant });
    if (answer.decision === "allow") {
      translator.calls.allowed(asked.callId);
      if (asked.tool === "plan") translator.facts.planApproved();
      return [];
    }
    const ended = quirks.silentDenials === true ? translator.calls.denied(asked.callId) : undefined;
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
