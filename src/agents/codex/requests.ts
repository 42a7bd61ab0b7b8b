/** Codex's requests as events, and answers to them as Codex wants them. Each request is answered once. */
import type { AgentEvent, AgentEventOf, PermissionOption } from "../../events/types.ts";
import type { RpcRequest } from "../../protocols/json-rpc/index.ts";
import { isRecord, record, text, texts } from "../../protocols/json.ts";
import type { JsonObject } from "../../protocols/json.ts";
import { locate, workspaceOf } from "../../workspace/real-paths.ts";
import type { AgentContext, Answer, OpenOptions, PermissionAnswer, QuestionAnswer } from "../contract.ts";
import { questionsIn } from "../shared/requests.ts";
import { nativeMode } from "./launch.ts";
import { commandCall, namedCall, proposedDiff } from "./tools.ts";
import type { ToolCall } from "./tools.ts";
import type { ProposedPlan } from "./translate-items.ts";
import type { Translator } from "./translate.ts";

type Pending =
  | { readonly kind: "question" }
  | { readonly kind: "permission" | "plan"; readonly offers: readonly Offer[] };

export interface PermissionsOptions
  extends Pick<OpenOptions, "cwd" | "directories">, Pick<AgentContext, "protectedFiles"> {
  readonly translator: Translator;
  readonly respond: (requestId: string, response: JsonObject) => void;
  readonly refuse: (requestId: string) => void;
}

/** An answer as it goes over the wire, and its effect on the turn and the plan. */
export interface Answered {
  readonly response: JsonObject;
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
    this.#pending.set(requestId, { kind: "plan", offers: planOffers });
    const headline = /^[#\s]*(\S.*)$/m.exec(plan)?.[1];
    const title = headline === undefined ? "Plan" : `Plan: ${headline}`.slice(0, 80);
    const call = { callId, tool: "plan", title, input: { plan } } as const;
    return [
      { type: "tool.started", ...call, nativeName: "plan", kind: "think" },
      { type: "permission.requested", requestId, ...call, options: planOffers.map(({ option }) => option) },
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

  #command(id: string, params: JsonObject): AgentEvent[] {
    const { callId, parent, item } = this.#callOf(params);
    const call = commandCall({ ...item, ...params }, this.#o.cwd);
    const host = hostOf(params);
    const title = host === undefined ? call.title : `Reach ${host}: ${call.title}`.slice(0, 80);
    return this.#ask(id, callId, parent, { ...call, title }, commandOffers(params), { reason: text(params["reason"]) });
  }

  #patch(id: string, params: JsonObject): AgentEvent[] {
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
    const workspace = workspaceOf(this.#o, this.#o.protectedFiles);
    return (
      kind === "edit" &&
      locations.length > 0 &&
      locations.every(({ path }) => locate(workspace, path).where === "ordinary")
    );
  }

  /** A tool of an MCP server needs somebody's word, or the server itself wants to know something. */
  #elicitation(id: string, params: JsonObject): AgentEvent[] {
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

  #access(id: string, params: JsonObject): AgentEvent[] {
    const { callId, parent } = this.#callOf(params);
    const call = namedCall(
      { name: "request_permissions", namespace: undefined, input: params["permissions"] },
      this.#o.cwd,
    );
    return this.#ask(id, callId, parent, call, accessOffers(params), { reason: text(params["reason"]) });
  }

  #question(id: string, params: JsonObject): AgentEvent[] {
    const { callId, parent, threadId } = this.#callOf(params);
    this.#pending.set(id, { kind: "question" });
    const call = { name: "request_user_input", namespace: undefined, input: { questions: params["questions"] } };
    return [
      ...this.#o.translator.calls.asked(callId, threadId, parent, call),
      { type: "question.requested", requestId: id, callId, questions: questionsIn(params["questions"], named), parent },
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

  #callOf(params: JsonObject) {
    const { calls, subagents } = this.#o.translator;
    const callId = text(params["itemId"]) ?? "unknown";
    const threadId = this.#o.translator.threadOf(params);
    const open = calls.find(callId);
    return { callId, threadId, parent: subagents.parentOf(threadId), item: open?.call.item ?? {}, call: open?.call };
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
    fitting.find(({ option }) => option.kind === `${wanted}_once`) ??
    offers.at(-1)!
  );
}

function unserved(what: string): AgentEvent[] {
  const message = `Codex asked for ${what}, which Reins does not do.`;
  return [{ type: "notice", level: "warning", code: "divergence", message }];
}

/** Codex names its questions, and takes one answer to each. */
const named = ({ id }: JsonObject) => ({
  ...(text(id) !== undefined && { id: text(id)! }),
  multiple: false,
  free: true,
});

/** A question that is left out is one that was skipped. */
export function answersOf({ decision, answers = {} }: QuestionAnswer): JsonObject {
  if (decision !== "answer") return { answers: {} };
  return {
    answers: Object.fromEntries(
      Object.entries(answers).map(([id, answer]) => [id, { answers: typeof answer === "string" ? [answer] : answer }]),
    ),
  };
}

interface Offer {
  readonly option: PermissionOption;
  readonly response: JsonObject;
  /** The answer ends the turn too. */
  readonly stop?: boolean;
  /** Later edits in the workspace are not asked about. */
  readonly remember?: boolean;
}

const allow = (response: JsonObject, label = "Allow"): Offer => ({
  option: { id: "allow", kind: "allow_once", label, scope: "once" },
  response,
});

const deny = (response: JsonObject, label = "Deny"): Offer => ({
  option: { id: "deny", kind: "reject_once", label, scope: "once" },
  response,
});

/** After the first the model is told and goes on; the second ends the turn too. */
const denials = (denied: JsonObject, stop: JsonObject): Offer[] => [
  deny(denied),
  { option: { id: "stop", kind: "reject_once", label: "Deny and stop", scope: "once" }, response: stop, stop: true },
];

const always = (scope: "session" | "user", label: string, response: JsonObject, rule?: string): Offer => ({
  option: {
    id: scope === "user" ? "always" : "always-session",
    kind: "allow_always",
    label,
    scope,
    ...(rule !== undefined && { rule }),
  },
  response,
});

const decision = (word: unknown): JsonObject => ({ decision: word });

/** Codex writes the rule that it proposes to a file of the user, for all folders; so the session's offer comes first. */
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

/** Codex's own `acceptForSession` holds for the same file only, so Reins itself remembers. */
function patchOffers(): Offer[] {
  const label = "Always allow edits in this folder in this session";
  return [
    allow(decision("accept")),
    { ...always("session", label, decision("accept"), "edits"), remember: true },
    ...denials(decision("decline"), decision("cancel")),
  ];
}

function mcpOffers(meta: JsonObject, tool: string): Offer[] {
  const answer = (action: string, persist?: string): JsonObject => ({
    action,
    content: action === "accept" ? {} : null,
    _meta: persist === undefined ? null : { persist },
  });
  const persists = texts(meta["persist"]);
  const offered = [
    always("session", `Always allow ${tool} in this session`, answer("accept", "session"), tool),
    always("user", `Always allow ${tool} everywhere`, answer("accept", "always"), tool),
  ];
  return [
    allow(answer("accept")),
    ...offered.filter((_, index) => persists.includes(["session", "always"][index]!)),
    ...denials(answer("decline"), answer("cancel")),
  ];
}

/** Further access for the rest of the turn, or of the session. */
function accessOffers(params: JsonObject): Offer[] {
  const permissions = Object.fromEntries(
    Object.entries(record(params["permissions"])).filter(([, value]) => isRecord(value)),
  );
  const none = { permissions: {}, scope: "turn" };
  return [
    allow({ permissions, scope: "turn" }),
    always("session", "Allow it in this session", { permissions, scope: "session" }),
    ...denials(none, none),
  ];
}

const planOffers: readonly Offer[] = [allow({}, "Approve the plan"), deny({}, "Do not approve it")];

/** The host that a command wants to reach, where the request is about that. */
function hostOf(params: JsonObject): string | undefined {
  return text(record(params["networkApprovalContext"])["host"]);
}

export function planEvents(callId: string, approved: boolean): AgentEvent[] {
  if (!approved) {
    const error = { message: "The plan was not approved." };
    return [{ type: "tool.failed", callId, error, reason: "denied" }];
  }
  const said = "The plan was approved.";
  const output = { text: said, bytes: said.length, kept: said.length };
  return [
    { type: "tool.completed", callId, output },
    { type: "session.updated", mode: "ask", nativeMode: nativeMode("ask"), by: "agent", reason: said },
  ];
}

export function planAnswer(approved: boolean, message: string): string {
  return approved ? "Implement the plan." : `The plan was not approved; do not carry it out. ${message}`.trim();
}
