/** What Codex asks of us, as events; and our answers, as it wants them. Each request is answered once. */
import type { RpcRequest } from "../../drivers/json-rpc/index.ts";
import type { AgentEvent, AgentEventOf, PermissionOption } from "../../events/types.ts";
import { record, text } from "../../drivers/stream-json/read.ts";
import type { Wire } from "../../drivers/stream-json/read.ts";
import type { Answer, OpenOptions, PermissionAnswer, QuestionAnswer } from "../contract.ts";
import { isOrdinaryPlace } from "./ordinary-places.ts";
import { accessOffers, commandOffers, hostOf, mcpOffers, patchOffers, planOffers } from "./permission-options.ts";
import type { Offer } from "./permission-options.ts";
import { answersOf, questionsOf } from "./questions.ts";
import { proposedDiff } from "./tools-files.ts";
import { commandCall, namedCall } from "./tools.ts";
import type { ToolCall } from "./tools.ts";
import type { ProposedPlan } from "./translate-items.ts";
import type { Translator } from "./translate.ts";

type Pending =
  | { readonly kind: "question" }
  | { readonly kind: "permission" | "plan"; readonly offers: readonly Offer[] };

export interface PermissionsOptions extends Pick<OpenOptions, "cwd" | "directories"> {
  readonly translator: Translator;
  readonly respond: (requestId: string, response: Wire) => void;
  readonly refuse: (requestId: string) => void;
}

/** What an answer does beside being sent. */
export interface Answered {
  readonly response: Wire;
  readonly stop: boolean;
  /** The answer to a plan, which Codex itself does not wait for. */
  readonly plan?: "approved" | "rejected";
  readonly message?: string | undefined;
}

export class Permissions {
  readonly #o: PermissionsOptions;
  readonly #pending = new Map<string, Pending>();
  #editsRemembered = false;
  #plans = 0;

  constructor(options: PermissionsOptions) {
    this.#o = options;
  }

  requested({ id, method, params: given }: RpcRequest): AgentEvent[] {
    const params = record(given);
    switch (method) {
      case "item/commandExecution/requestApproval":
        return this.#command(id, params);
      case "item/fileChange/requestApproval":
        return this.#patch(id, params);
      case "mcpServer/elicitation/request":
        return this.#elicitation(id, params);
      case "item/permissions/requestApproval":
        return this.#access(id, params);
      case "item/tool/requestUserInput":
        return this.#question(id, params);
      default:
        this.#o.refuse(id);
        return unserved(method);
    }
  }

  /** A plan that it proposed: its own turn is over. */
  plan({ callId, plan }: ProposedPlan): AgentEvent[] {
    const requestId = `plan-${++this.#plans}-${callId}`;
    const offers = planOffers();
    this.#pending.set(requestId, { kind: "plan", offers });
    const headline = /^[#\s]*(\S.*)$/m.exec(plan)?.[1];
    const title = headline === undefined ? "Plan" : `Plan: ${headline}`.slice(0, 80);
    const call = { callId, tool: "plan", title, input: { plan } } as const;
    return [
      { type: "tool.started", ...call, nativeName: "plan", kind: "think" },
      { type: "permission.requested", requestId, ...call, options: offers.map(({ option }) => option) },
    ];
  }

  /** Codex no longer waits for it. */
  withdrawn(requestId: string): AgentEvent[] {
    const pending = this.#pending.get(requestId);
    this.#pending.delete(requestId);
    if (pending === undefined) return [];
    const type = pending.kind === "question" ? "question.resolved" : "permission.resolved";
    return [{ type, requestId, outcome: "cancelled", by: "agent" }];
  }

  /** Undefined when nothing waits for it any more. */
  answer(requestId: string, answer: Answer): Answered | undefined {
    const pending = this.#pending.get(requestId);
    this.#pending.delete(requestId);
    if (pending === undefined) return undefined;
    if (pending.kind === "question") return { response: answersOf(answer as QuestionAnswer), stop: false };
    const given = answer as PermissionAnswer;
    const offer = chosen(given, pending.offers);
    if (pending.kind === "plan") {
      const plan = given.decision === "allow" ? "approved" : "rejected";
      return { response: {}, stop: plan === "rejected" && given.stop === true, plan, message: given.message };
    }
    if (offer.remember === true) this.#editsRemembered = true;
    return { response: offer.response, stop: offer.stop === true };
  }

  /** The mode changed: what was allowed for good was allowed in another. */
  forget(): void {
    this.#editsRemembered = false;
  }

  #command(id: string, params: Wire): AgentEvent[] {
    const { callId, parent, item } = this.#callOf(params);
    const call = commandCall({ ...item, ...params }, this.#o.cwd);
    const host = hostOf(params);
    const title = host === undefined ? call.title : `Reach ${host}: ${call.title}`.slice(0, 80);
    return this.#ask(id, callId, parent, { ...call, title }, commandOffers(params), { reason: text(params["reason"]) });
  }

  #patch(id: string, params: Wire): AgentEvent[] {
    const { callId, parent, item, call } = this.#callOf(params);
    const patch = call ?? namedCall({ name: "apply_patch", namespace: undefined, input: {} }, this.#o.cwd);
    if (this.#editsRemembered && this.#isOrdinary(patch)) {
      this.#o.respond(id, { decision: "accept" });
      return [];
    }
    const more = { reason: text(params["reason"]), diff: proposedDiff(item, this.#o.cwd) };
    return this.#ask(id, callId, parent, patch, patchOffers(), more);
  }

  #isOrdinary({ kind, locations = [] }: ToolCall): boolean {
    const { cwd, directories = [] } = this.#o;
    return (
      kind === "edit" &&
      locations.length > 0 &&
      locations.every(({ path }) => isOrdinaryPlace(path, [cwd, ...directories], cwd))
    );
  }

  /** A tool of an MCP server needs somebody's word, or the server itself wants to know something. */
  #elicitation(id: string, params: Wire): AgentEvent[] {
    const meta = record(params["_meta"]);
    const server = text(params["serverName"]) ?? "";
    if (meta["codex_approval_kind"] !== "mcp_tool_call") {
      this.#o.respond(id, { action: "decline", content: null, _meta: null });
      return unserved(`a form of the MCP server ${server}`);
    }
    const threadId = this.#o.translator.threadOf(params);
    const open = this.#o.translator.calls.ofServer(threadId, server, meta["tool_params"]);
    const tool = open?.call.mcp?.tool ?? /tool "([^"]+)"/.exec(text(params["message"]) ?? "")?.[1] ?? "";
    const call =
      open?.call ??
      namedCall({ name: tool, namespace: `mcp__${server}`, input: meta["tool_params"] ?? {} }, this.#o.cwd);
    const parent = open?.parent ?? this.#o.translator.subagents.parentOf(threadId);
    return this.#ask(id, open?.callId ?? id, parent, call, mcpOffers(meta, `${server}: ${tool}`), {
      reason: text(meta["tool_description"]),
    });
  }

  #access(id: string, params: Wire): AgentEvent[] {
    const { callId, parent } = this.#callOf(params);
    const call = namedCall(
      { name: "request_permissions", namespace: undefined, input: params["permissions"] },
      this.#o.cwd,
    );
    return this.#ask(id, callId, parent, call, accessOffers(params), { reason: text(params["reason"]) });
  }

  #question(id: string, params: Wire): AgentEvent[] {
    const { callId, parent, threadId } = this.#callOf(params);
    this.#pending.set(id, { kind: "question" });
    const named = { name: "request_user_input", namespace: undefined, input: { questions: params["questions"] } };
    return [
      ...this.#o.translator.calls.asked(callId, threadId, parent, named),
      { type: "question.requested", requestId: id, callId, questions: questionsOf(params), parent },
    ];
  }

  #ask(
    requestId: string,
    callId: string,
    parent: string | undefined,
    { tool, title, input, locations, mcp }: ToolCall,
    offers: readonly Offer[],
    more: Pick<AgentEventOf<"permission.requested">, "reason" | "diff">,
  ): AgentEvent[] {
    this.#pending.set(requestId, { kind: "permission", offers });
    const options: PermissionOption[] = offers.map(({ option }) => option);
    return [
      { type: "permission.requested", requestId, callId, tool, title, input, locations, mcp, options, parent, ...more },
    ];
  }

  #callOf(params: Wire) {
    const { calls, subagents } = this.#o.translator;
    const callId = text(params["itemId"]) ?? "unknown";
    const threadId = this.#o.translator.threadOf(params);
    const open = calls.find(callId);
    return { callId, threadId, parent: subagents.parentOf(threadId), item: open?.item ?? {}, call: open?.call };
  }
}

/** What is not among the offers, or means something else, is a denial. */
function chosen(answer: PermissionAnswer, offers: readonly Offer[]): Offer {
  const wanted = answer.decision === "allow" ? "allow" : "reject";
  const fitting = offers.filter(({ option }) => option.kind.startsWith(wanted));
  if (wanted === "reject" && answer.stop === true) return fitting.at(-1)!;
  return (
    fitting.find(({ option }) => option.id === answer.optionId) ??
    (answer.always === true ? fitting.find(({ option }) => option.kind === `${wanted}_always`) : undefined) ??
    fitting[0] ??
    offers.at(-1)!
  );
}

function unserved(what: string): AgentEvent[] {
  const message = `Codex asked for ${what}, which Reins does not do.`;
  return [{ type: "notice", level: "warning", code: "divergence", message }];
}
