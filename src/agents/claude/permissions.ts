/** What Claude Code asks of us, as events; and our answers, as it wants them. Each request is answered once. */
import type { AgentEvent, Question } from "../../events/types.ts";
import type { Answer, HoldAnswer, PermissionAnswer, QuestionAnswer } from "../contract.ts";
import { offersFor, offersForPlan } from "./permission-options.ts";
import type { Offer } from "./permission-options.ts";
import { proposedDiff } from "../shared/proposed-diff.ts";
import { answeredInput, questionsOf } from "../shared/questions.ts";
import { canonicalTool, toolCall } from "./tools.ts";
import { isRecord, record, text } from "../../drivers/stream-json/read.ts";
import type { Wire } from "../../drivers/stream-json/read.ts";

type Pending =
  | { readonly kind: "hold" }
  | { readonly kind: "permission"; readonly input: Wire; readonly offers: readonly Offer[] }
  | { readonly kind: "question"; readonly input: Wire; readonly questions: readonly Question[] };

export interface PermissionsOptions {
  readonly cwd: string;
  /** The task call of the subagent that makes a call. */
  readonly parentOf: (callId: string, agentId: string | undefined) => string | undefined;
  /** The plan, when its request does not carry it. */
  readonly planOf: (callId: string) => string | undefined;
}

export class Permissions {
  readonly #options: PermissionsOptions;
  readonly #pending = new Map<string, Pending>();

  constructor(options: PermissionsOptions) {
    this.#options = options;
  }

  /** A hook before every tool: it waits for the policy's word, whatever the agent's own rules say. */
  held(requestId: string, request: Wire): AgentEvent[] {
    const hook = record(request["input"]);
    const callId = text(hook["tool_use_id"]) ?? text(request["tool_use_id"]) ?? requestId;
    const input = hook["tool_input"] ?? {};
    const call = toolCall(text(hook["tool_name"]) ?? "", input, this.#options.cwd);
    this.#pending.set(requestId, { kind: "hold" });
    const { tool, nativeName, title, locations, mcp } = call;
    const parent = this.#options.parentOf(callId, text(hook["agent_id"]));
    return [{ type: "tool.held", requestId, callId, tool, nativeName, title, input, locations, mcp, parent }];
  }

  /** The agent's own rules want somebody's word. */
  asked(requestId: string, request: Wire): AgentEvent[] {
    const nativeName = text(request["tool_name"]) ?? "";
    const callId = text(request["tool_use_id"]) ?? requestId;
    const input = record(request["input"]);
    const parent = this.#options.parentOf(callId, text(request["agent_id"]));
    if (nativeName === "AskUserQuestion") {
      const questions = questionsOf(input);
      this.#pending.set(requestId, { kind: "question", input, questions });
      return [{ type: "question.requested", requestId, callId, questions, parent }];
    }
    const isPlan = nativeName === "ExitPlanMode";
    const offers = isPlan ? offersForPlan() : offersFor(request);
    this.#pending.set(requestId, { kind: "permission", input, offers });
    const { tool, title, locations, mcp } = toolCall(nativeName, input, this.#options.cwd);
    return [
      {
        type: "permission.requested",
        requestId,
        callId,
        tool,
        title,
        input: isPlan ? { ...input, plan: text(input["plan"]) ?? this.#options.planOf(callId) ?? "" } : input,
        reason: plain(text(request["decision_reason"])),
        locations,
        diff: proposedDiff(canonicalTool(nativeName), input, this.#options.cwd),
        mcp,
        options: offers.map(({ option }) => option),
        parent,
      },
    ];
  }

  /** The agent no longer waits for it. */
  withdrawn(requestId: string): AgentEvent[] {
    const pending = this.#pending.get(requestId);
    this.#pending.delete(requestId);
    if (pending === undefined || pending.kind === "hold") return [];
    const type = pending.kind === "permission" ? "permission.resolved" : "question.resolved";
    return [{ type, requestId, outcome: "cancelled", by: "agent" }];
  }

  /** What goes over the wire; undefined when nothing waits for it any more. */
  answer(requestId: string, answer: Answer): object | undefined {
    const pending = this.#pending.get(requestId);
    this.#pending.delete(requestId);
    switch (pending?.kind) {
      case "hold":
        return holdResponse(answer as HoldAnswer);
      case "permission":
        return permissionResponse(answer as PermissionAnswer, pending.input, pending.offers);
      case "question":
        return questionResponse(answer as QuestionAnswer, pending.input, pending.questions);
      case undefined:
        return undefined;
    }
  }
}

/** An empty answer leaves it to the agent's own rules. */
function holdResponse({ decision, message }: HoldAnswer): object {
  if (decision === "defer") return {};
  return {
    hookSpecificOutput: {
      hookEventName: "PreToolUse",
      permissionDecision: decision,
      permissionDecisionReason: message ?? reasons[decision],
    },
  };
}

const reasons = { allow: undefined, deny: "This tool is not allowed here.", ask: undefined } as const;

function permissionResponse(answer: PermissionAnswer, input: Wire, offers: readonly Offer[]): object {
  const wanted = answer.decision === "allow" ? "allow" : "reject";
  const chosen =
    offers.find(({ option }) => option.id === answer.optionId && option.kind.startsWith(wanted)) ??
    (answer.always === true ? offers.find(({ option }) => option.kind === `${wanted}_always`) : undefined);
  if (answer.decision === "allow") {
    const changed = answer.changedInput;
    if (changed === undefined || isRecord(changed))
      return { behavior: "allow", updatedInput: changed ?? input, updatedPermissions: chosen?.updates };
    return { behavior: "deny", message: "The changed input was not an object, so the tool did not run." };
  }
  return {
    behavior: "deny",
    message: answer.message ?? "This was not allowed.",
    interrupt: answer.stop === true || chosen?.stop === true ? true : undefined,
  };
}

function questionResponse(answer: QuestionAnswer, input: Wire, questions: readonly Question[]): object {
  if (answer.decision === "answer")
    // On the wire an answer stands under the text of its question.
    return {
      behavior: "allow",
      updatedInput: answeredInput(input, questions, answer.answers ?? {}, (question) => question.text),
    };
  return answer.message === undefined
    ? { behavior: "allow", updatedInput: input }
    : { behavior: "deny", message: answer.message };
}

/** Reasons may carry colours for a terminal. */
function plain(reason: string | undefined): string | undefined {
  return reason?.replaceAll(/\x1b\[[0-9;]*m/g, "");
}
