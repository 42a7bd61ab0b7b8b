/** Requests of Claude Code (the hook that holds every tool, permissions, questions) and the answers to them. */
import { isRecord, list, record, text, texts, type JsonObject } from "../../protocols/json.ts";
import { AgentRequests, type FinalAnswer, type NativeOption, type ParsedRequest } from "../../protocols/requests.ts";
import type { WireRequest } from "../../protocols/stream-json/index.ts";
import { answeredInput, optionsAround, requestFor } from "../shared/requests.ts";
import { toolCall } from "./tools.ts";

/** Permission updates of an option, as the agent suggested them. */
type Updates = readonly JsonObject[];

export interface RequestsOptions {
  readonly cwd: string;
  /** The task call of the subagent that makes this call. */
  readonly parentOf: (callId: string, agentId: string | undefined) => string | undefined;
  /** The plan, for a request that does not contain it. */
  readonly planOf: (callId: string) => string | undefined;
  readonly onCancelled: (callId: string) => void;
  readonly respond: (requestId: string, response: object) => void;
  readonly refuse: (requestId: string, why: string) => void;
}

export function claudeRequests(options: RequestsOptions): AgentRequests<WireRequest, Updates> {
  return new AgentRequests({
    name: "Claude Code",
    parse: ({ id, subtype, body }) => {
      if (subtype === "hook_callback") return heldCall(id, body, options);
      return subtype === "can_use_tool" ? asked(id, body, options) : undefined;
    },
    refuse: ({ id, subtype }) => {
      options.refuse(id, "Reins does not support this request.");
      return subtype;
    },
    reply: (request, answer, { id, body }) => {
      if (answer.decision === "cancel") options.onCancelled(request.call?.callId ?? id);
      options.respond(id, response(request, answer, record(body["input"])));
    },
  });
}

/** The hook runs before every tool, so the policy decides before the agent's own rules do. */
function heldCall(id: string, body: JsonObject, { cwd, parentOf }: RequestsOptions): ParsedRequest<Updates> {
  const hook = record(body["input"]);
  const callId = text(hook["tool_use_id"]) ?? text(body["tool_use_id"]) ?? id;
  const input = hook["tool_input"] ?? {};
  const { kind: _kind, ...call } = toolCall(text(hook["tool_name"]) ?? "", input, cwd);
  return { id, kind: "hold", call: { callId, ...call, input, parent: parentOf(callId, text(hook["agent_id"])) } };
}

function asked(id: string, body: JsonObject, { cwd, parentOf, planOf }: RequestsOptions): ParsedRequest<Updates> {
  const nativeName = text(body["tool_name"]) ?? "";
  const callId = text(body["tool_use_id"]) ?? id;
  const given = record(body["input"]);
  const isPlan = nativeName === "ExitPlanMode";
  const call = {
    id,
    callId,
    input: isPlan ? { ...given, plan: text(given["plan"]) ?? planOf(callId) ?? "" } : given,
    parent: parentOf(callId, text(body["agent_id"])),
    // Reasons may contain terminal colour codes.
    reason: text(body["decision_reason"])?.replaceAll(/\x1b\[[0-9;]*m/g, ""),
  };
  return requestFor(call, toolCall(nativeName, given, cwd), isPlan ? planOptions : optionsFor(body), cwd);
}

function response(
  { kind, ...request }: ParsedRequest<Updates>,
  answer: FinalAnswer<Updates>,
  input: JsonObject,
): object {
  if (kind === "hold") return holdResponse(answer);
  switch (answer.decision) {
    case "allow":
      return { behavior: "allow", updatedInput: answer.input ?? input, updatedPermissions: answer.option?.choice };
    case "answer": {
      const questions = "questions" in request ? request.questions : [];
      // The wire format has each answer under the text of its question.
      const updatedInput = answeredInput(input, questions, answer.answers, ({ text: key }) => key);
      return { behavior: "allow", updatedInput };
    }
    case "skip":
      return answer.message === undefined
        ? { behavior: "allow", updatedInput: input }
        : { behavior: "deny", message: answer.message };
    default: {
      const interrupt = answer.decision === "deny" && answer.stop ? true : undefined;
      return { behavior: "deny", message: answer.message ?? "This was not allowed.", interrupt };
    }
  }
}

/** An empty response leaves the decision to the agent's own rules. */
function holdResponse(answer: FinalAnswer<Updates>): object {
  if (answer.decision === "defer") return {};
  const isPassed = answer.decision === "allow" || answer.decision === "ask";
  const message = "message" in answer ? answer.message : undefined;
  return {
    hookSpecificOutput: {
      hookEventName: "PreToolUse",
      permissionDecision: isPassed ? answer.decision : "deny",
      permissionDecisionReason: message ?? (isPassed ? undefined : "This tool is not allowed here."),
    },
  };
}

type Offer = NativeOption<Updates>;

function optionsFor(request: JsonObject): Offer[] {
  const suggestions = request["suppress_always_allow_rule"] === true ? [] : list(request["permission_suggestions"]);
  return optionsAround(suggestions.flatMap(suggested));
}

/** Approving a plan ends plan mode: the agent continues in its default mode, or with edits allowed. */
const planOptions: readonly Offer[] = [
  { option: { id: "allow", kind: "allow_once", label: "Approve the plan", scope: "once" } },
  {
    option: { id: "allow-edits", kind: "allow_always", label: "Approve the plan and allow edits", scope: "session" },
    choice: [{ type: "setMode", mode: "acceptEdits", destination: "session" }],
  },
  { option: { id: "deny", kind: "reject_once", label: "Keep planning", scope: "once" } },
  { option: { id: "stop", kind: "reject_once", label: "Reject the plan and stop", scope: "once" }, stop: true },
];

/** A file rule is offered for this session first, because the smaller scope is the safer default. */
function suggested(suggestion: unknown, index: number): Offer[] {
  if (!isRecord(suggestion)) return [];
  const label = labelOf(suggestion);
  if (label === undefined) return [];
  const offer = (id: string, update: JsonObject): Offer => {
    const scope = scopeOf(update["destination"]);
    const where = scope === "session" ? "in this session" : scope === "user" ? "in every project" : "in this project";
    return {
      option: { id, kind: "allow_always", label: `Always allow ${label} ${where}`, scope, rule: label },
      choice: [update],
    };
  };
  const own = offer(`always-${index + 1}`, suggestion);
  if (own.option.scope === "session" || suggestion["type"] !== "addRules") return [own];
  return [offer(`always-${index + 1}-session`, { ...suggestion, destination: "session" }), own];
}

function labelOf(suggestion: JsonObject): string | undefined {
  switch (suggestion["type"]) {
    case "addRules": {
      const rules = list(suggestion["rules"]).map((rule) => ruleOf(record(rule)));
      return suggestion["behavior"] === "allow" && rules.length > 0 ? rules.join(", ") : undefined;
    }
    case "addDirectories": {
      const directories = texts(suggestion["directories"]);
      return directories.length > 0 ? `work in ${directories.join(", ")}` : undefined;
    }
    case "setMode":
      return suggestion["mode"] === "acceptEdits" ? "edits" : undefined;
    default:
      return undefined;
  }
}

function ruleOf(rule: JsonObject): string {
  const content = text(rule["ruleContent"]);
  const name = text(rule["toolName"]) ?? "";
  return content === undefined ? name : `${name}(${content})`;
}

function scopeOf(destination: unknown): "session" | "project" | "user" {
  if (destination === "userSettings") return "user";
  return destination === "projectSettings" || destination === "localSettings" ? "project" : "session";
}
