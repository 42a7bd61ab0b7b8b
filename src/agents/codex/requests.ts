/** Codex's requests (commands, patches, MCP tools, further access, questions, plans) for the request engine, and the answers to them. */
import type { AgentEvent } from "../../events/types.ts";
import type { RpcRequest } from "../../protocols/json-rpc/index.ts";
import { isRecord, record, text, texts, type JsonObject } from "../../protocols/json.ts";
import { AgentRequests, type FinalAnswer, type NativeOption, type ParsedRequest } from "../../protocols/requests.ts";
import { locate, workspaceOf } from "../../workspace/real-paths.ts";
import type { AgentContext, Answer, OpenOptions } from "../contract.ts";
import { questionsIn } from "../shared/requests.ts";
import { headline } from "../shared/tool-call.ts";
import { nativeMode } from "./launch.ts";
import { commandCall, namedCall, proposedDiff, type ToolCall } from "./tools.ts";
import type { ProposedPlan } from "./translate-items.ts";
import type { Translator } from "./translate.ts";

export interface PlanAnswer {
  readonly approved: boolean;
  readonly message?: string | undefined;
  readonly stop: boolean;
}

export interface RequestsOptions
  extends Pick<OpenOptions, "cwd" | "directories">, Pick<AgentContext, "protectedFiles"> {
  readonly translator: Translator;
  readonly respond: (requestId: string, response: JsonObject) => void;
  readonly refuse: (requestId: string) => void;
  readonly interrupt: () => void;
  readonly planAnswered: (answer: PlanAnswer) => void;
}

interface Asked extends Omit<RpcRequest, "message"> {
  /** Codex proposes a plan at the end of its turn without waiting, so no wire request carries it. */
  readonly plan?: ProposedPlan;
}

/** An option with its response on the wire. */
type Offer = NativeOption<JsonObject>;

const patchMethod = "item/fileChange/requestApproval";
const questionMethod = "item/tool/requestUserInput";
const elicitationMethod = "mcpServer/elicitation/request";

export class CodexRequests {
  readonly #o: RequestsOptions;
  readonly #requests: AgentRequests<Asked, JsonObject>;
  #editsRemembered = false;
  #plans = 0;

  constructor(options: RequestsOptions) {
    this.#o = options;
    this.#requests = new AgentRequests({
      name: "Codex",
      parse: (asked) => this.#parse(asked),
      refuse: (asked) => this.#refuse(asked),
      reply: (request, answer, asked) => this.#reply(request, answer, asked),
    });
  }

  received(asked: Asked): AgentEvent[] {
    const { id, method } = asked;
    const params = record(asked.params);
    const { callId, threadId, parent, call } = this.#callOf(params);
    if (method === patchMethod && this.#editsRemembered && call !== undefined && this.#isOrdinary(call)) {
      this.#o.respond(id, { decision: "accept" });
      return [];
    }
    const requested = this.#requests.received(asked);
    if (method !== questionMethod) return requested;
    const named = { name: "request_user_input", input: { questions: params["questions"] } };
    return [...this.#o.translator.calls.asked(callId, threadId, parent, named), ...requested];
  }

  plan(plan: ProposedPlan): AgentEvent[] {
    const id = `plan-${++this.#plans}-${plan.callId}`;
    return [
      { type: "tool.started", ...planCall(plan), kind: "think" },
      ...this.#requests.received({ id, method: "", params: undefined, plan }),
    ];
  }

  withdrawn(requestId: string): AgentEvent[] {
    return this.#requests.withdrawn(requestId);
  }

  /** Adds the withdrawal of requests whose call ended to the events of the translator. */
  told(events: readonly AgentEvent[]): readonly AgentEvent[] {
    if (!events.some(isCallEnd)) return events;
    return events.flatMap((event) => (isCallEnd(event) ? [...this.#requests.callEnded(event.callId), event] : [event]));
  }

  answer(requestId: string, answer: Answer): void {
    this.#requests.answer(requestId, answer);
  }

  /** Called when the mode changes: edits were allowed for the previous mode. */
  forget(): void {
    this.#editsRemembered = false;
  }

  #parse({ id, method, params: given, plan }: Asked): ParsedRequest<JsonObject> | undefined {
    if (plan !== undefined) return { id, kind: "permission", call: planCall(plan), options: planOffers };
    const params = record(given);
    const { cwd } = this.#o;
    const { callId, parent, item, call } = this.#callOf(params);
    const ask = (about: ToolCall, options: readonly Offer[], diff?: string): ParsedRequest<JsonObject> => {
      const reason = text(params["reason"]);
      return { id, kind: "permission", call: { ...about, callId, parent, reason, diff }, options };
    };
    switch (method) {
      case "item/commandExecution/requestApproval": {
        const command = commandCall({ ...item, ...params }, cwd);
        const host = hostOf(params);
        const title = host === undefined ? command.title : `Reach ${host}: ${command.title}`.slice(0, 80);
        return ask({ ...command, title }, commandOffers(params));
      }
      case patchMethod:
        return ask(call ?? namedCall({ name: "apply_patch", input: {} }, cwd), patchOffers, proposedDiff(item, cwd));
      case "item/permissions/requestApproval":
        return ask(namedCall({ name: "request_permissions", input: params["permissions"] }, cwd), accessOffers(params));
      case elicitationMethod:
        return this.#mcpTool(id, params);
      case questionMethod:
        return { id, kind: "question", questions: questionsIn(params["questions"], named), call: { callId, parent } };
      default:
        return undefined;
    }
  }

  /** Undefined when the server wants a form filled in rather than a tool approved. */
  #mcpTool(id: string, params: JsonObject): ParsedRequest<JsonObject> | undefined {
    const meta = record(params["_meta"]);
    if (meta["codex_approval_kind"] !== "mcp_tool_call") return undefined;
    const { translator, cwd } = this.#o;
    const server = text(params["serverName"]) ?? "";
    const input = meta["tool_params"];
    const threadId = translator.threadOf(params);
    const open = translator.calls.ofServer(threadId, server, input);
    const name = open?.call.mcp?.tool ?? /tool "([^"]+)"/.exec(text(params["message"]) ?? "")?.[1] ?? "";
    const call = open?.call ?? namedCall({ name, namespace: `mcp__${server}`, input: input ?? {} }, cwd);
    const parent = open?.parent ?? translator.subagents.parentOf(threadId);
    const about = { callId: open?.callId ?? id, parent, reason: text(meta["tool_description"]) };
    const options = mcpOffers(meta, `${server}: ${name}`);
    return { id, kind: "permission", call: { ...call, ...about }, options, callGuessed: true };
  }

  #refuse({ id, method, params }: Asked): string {
    if (method !== elicitationMethod) {
      this.#o.refuse(id);
      return method;
    }
    this.#o.respond(id, { action: "decline", content: null, _meta: null });
    return `a form of the MCP server ${text(record(params)["serverName"]) ?? ""}`;
  }

  #reply(request: ParsedRequest<JsonObject>, answer: FinalAnswer<JsonObject>, { method, plan }: Asked): void {
    const { respond, interrupt, planAnswered } = this.#o;
    if (request.kind !== "permission") return respond(request.id, answersOf(answer));
    const isCancelled = answer.decision === "cancel";
    const stop = isCancelled || (answer.decision === "deny" && answer.stop);
    if (plan !== undefined) {
      const message = "message" in answer ? answer.message : undefined;
      return planAnswered({ approved: answer.decision === "allow", message, stop });
    }
    const { option, choice } = ("option" in answer && answer.option) || request.options.at(-1)!;
    if (method === patchMethod && option.kind === "allow_always") this.#editsRemembered = true;
    respond(request.id, choice!);
    // Denying an MCP tool does not end Codex's turn. A turn that is being cancelled is interrupted anyway.
    if (stop && !isCancelled) interrupt();
  }

  #isOrdinary({ kind, locations = [] }: ToolCall): boolean {
    const workspace = workspaceOf(this.#o, this.#o.protectedFiles);
    if (kind !== "edit" || locations.length === 0) return false;
    return locations.every(({ path }) => locate(workspace, path).where === "ordinary");
  }

  #callOf(params: JsonObject) {
    const { translator } = this.#o;
    const callId = text(params["itemId"]) ?? "unknown";
    const threadId = translator.threadOf(params);
    const call = translator.calls.find(callId)?.call;
    return { callId, threadId, parent: translator.subagents.parentOf(threadId), item: call?.item ?? {}, call };
  }
}

function isCallEnd(event: AgentEvent): event is Extract<AgentEvent, { type: "tool.completed" | "tool.failed" }> {
  return event.type === "tool.completed" || event.type === "tool.failed";
}

/** Codex gives each question an id and takes one answer to it. */
const named = ({ id }: JsonObject) => ({ ...(text(id) && { id: text(id)! }), multiple: false, free: true });

/** A question without an answer counts as skipped. */
function answersOf(answer: FinalAnswer): JsonObject {
  const answers = answer.decision === "answer" ? Object.entries(answer.answers) : [];
  return { answers: Object.fromEntries(answers.map(([id, given]) => [id, { answers: [given].flat() }])) };
}

const allow = (choice: JsonObject, label = "Allow"): Offer => ({
  option: { id: "allow", kind: "allow_once", label, scope: "once" },
  choice,
});

const deny = (choice: JsonObject, label = "Deny", id = "deny"): Offer => ({
  option: { id, kind: "reject_once", label, scope: "once" },
  choice,
});

/** After the first option the model learns of the denial and continues; the second also ends the turn. */
const denials = (denied: JsonObject, stopped: JsonObject): Offer[] => [
  deny(denied),
  { ...deny(stopped, "Deny and stop", "stop"), stop: true },
];

function always(scope: "session" | "user", label: string, choice: JsonObject, rule?: string): Offer {
  const id = scope === "user" ? "always" : "always-session";
  return { option: { id, kind: "allow_always", label, scope, ...(rule !== undefined && { rule }) }, choice };
}

const decision = (word: unknown): JsonObject => ({ decision: word });

/** Codex writes the rule that it proposes to a user file that applies to all folders, so the option for the session comes first. */
function commandOffers(params: JsonObject): Offer[] {
  const words = texts(params["proposedExecpolicyAmendment"]);
  const rule = words.join(" ");
  const amendment = { acceptWithExecpolicyAmendment: { execpolicy_amendment: words } };
  const plain = hostOf(params) === undefined;
  return [
    allow(decision("accept")),
    ...(plain ? [always("session", "Allow this command again in this session", decision("acceptForSession"))] : []),
    ...(plain && words.length > 0
      ? [always("user", `Always allow ${rule} everywhere`, decision(amendment), rule)]
      : []),
    ...denials(decision("decline"), decision("cancel")),
  ];
}

/** Codex's own `acceptForSession` covers the same file only, so Reins remembers the answer itself. */
const patchOffers: readonly Offer[] = [
  allow(decision("accept")),
  always("session", "Always allow edits in this folder in this session", decision("accept"), "edits"),
  ...denials(decision("decline"), decision("cancel")),
];

function mcpOffers(meta: JsonObject, tool: string): Offer[] {
  const answer = (action: string, persist?: string): JsonObject => ({
    action,
    content: action === "accept" ? {} : null,
    _meta: persist === undefined ? null : { persist },
  });
  const session = always("session", `Always allow ${tool} in this session`, answer("accept", "session"), tool);
  const everywhere = always("user", `Always allow ${tool} everywhere`, answer("accept", "always"), tool);
  const persists = texts(meta["persist"]);
  return [
    allow(answer("accept")),
    ...(persists.includes("session") ? [session] : []),
    ...(persists.includes("always") ? [everywhere] : []),
    ...denials(answer("decline"), answer("cancel")),
  ];
}

/** Further access for the rest of the turn or of the session. */
function accessOffers(params: JsonObject): Offer[] {
  const granted = Object.entries(record(params["permissions"])).filter(([, value]) => isRecord(value));
  const permissions = Object.fromEntries(granted);
  const none = { permissions: {}, scope: "turn" };
  return [
    allow({ permissions, scope: "turn" }),
    always("session", "Allow it in this session", { permissions, scope: "session" }),
    ...denials(none, none),
  ];
}

const planOffers: readonly Offer[] = [allow({}, "Approve the plan"), deny({}, "Do not approve it")];

function planCall({ callId, plan }: ProposedPlan) {
  const first = headline(plan);
  const title = first === undefined ? "Plan" : `Plan: ${first}`.slice(0, 80);
  return { callId, tool: "plan", nativeName: "plan", title, input: { plan } } as const;
}

/** The host that a command wants to reach; undefined for a request about anything else. */
function hostOf(params: JsonObject): string | undefined {
  return text(record(params["networkApprovalContext"])["host"]);
}

export function planEvents(callId: string, approved: boolean): AgentEvent[] {
  if (!approved)
    return [{ type: "tool.failed", callId, error: { message: "The plan was not approved." }, reason: "denied" }];
  const said = "The plan was approved.";
  return [
    { type: "tool.completed", callId, output: { text: said, bytes: said.length, kept: said.length } },
    { type: "session.updated", mode: "ask", nativeMode: nativeMode("ask"), by: "agent", reason: said },
  ];
}
