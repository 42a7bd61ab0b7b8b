/** The items of a turn: texts, tool calls, plans, subagents, compaction. */
import type { AgentEvent, PlanEntry } from "../../events/types.ts";
import { named, records, text, type JsonObject } from "../../protocols/json.ts";
import type { Unparsed } from "../../protocols/stream-json/unparsed.ts";
import { nothing } from "../shared/translator-parts.ts";
import { words } from "../shared/words.ts";
import type { Calls } from "./translate-calls.ts";
import type { Subagents, Texts } from "./translate-threads.ts";

export interface ItemParts {
  readonly texts: Texts;
  readonly calls: Calls;
  readonly subagents: Subagents;
  readonly unparsed: Unparsed;
}

/** A plan that waits for approval: Codex's turn has ended, the turn of Reins has not. */
export interface ProposedPlan {
  readonly callId: string;
  readonly plan: string;
}

export class Items {
  readonly #o: ItemParts;
  compacting = false;
  #plan: ProposedPlan | undefined;
  #sandboxTold = false;

  constructor(parts: ItemParts) {
    this.#o = parts;
  }

  takePlan(): ProposedPlan | undefined {
    const plan = this.#plan;
    this.#plan = undefined;
    return plan;
  }

  started(item: JsonObject, threadId: string, parent: string | undefined): readonly AgentEvent[] {
    switch (item["type"]) {
      case "userMessage":
        // A steering prompt cuts off the current answer, which the model does not keep.
        return this.#o.texts.discardAll(threadId, "steered");
      case "contextCompaction":
        return [{ type: "turn.phase", phase: "compact", parent }];
      default:
        return this.#o.calls.started(item, threadId, parent);
    }
  }

  completed(item: JsonObject, threadId: string, parent: string | undefined): readonly AgentEvent[] {
    const type = named(item["type"]);
    switch (type) {
      case "agentMessage":
        if (parent !== undefined) this.#o.subagents.said(threadId, text(item["text"]));
        return this.#o.texts.whole("message", item, threadId, parent);
      case "reasoning":
        return this.#o.texts.whole("thought", item, threadId, parent);
      case "plan":
        if (parent === undefined) this.#plan = { callId: text(item["id"]) ?? "plan", plan: text(item["text"]) ?? "" };
        return nothing;
      case "contextCompaction":
        return [{ type: "context.compacted", trigger: this.compacting ? "manual" : "auto", parent }];
      case "collabAgentToolCall":
        return [
          ...this.#o.calls.completed(item, threadId, parent),
          ...this.#o.subagents.after(item, text(item["id"]) ?? "", parent),
        ];
      case "subAgentActivity":
        return this.#activity(item, parent);
      default:
        if (ignoredItems.has(type)) return nothing;
        return this.#toolCompleted(item, threadId, parent, type);
    }
  }

  #toolCompleted(item: JsonObject, threadId: string, parent: string | undefined, type: string): readonly AgentEvent[] {
    const events = this.#o.calls.completed(item, threadId, parent);
    if (events.length > 0) return [...events, ...this.#sandboxNotice(item)];
    // A known type is an item of a turn that has ended; any other type is new to Reins.
    return knownTools.has(type) ? nothing : this.#o.unparsed.saw(`an item of type ${type}`);
  }

  /** Some containers support no sandbox. Then every command fails, and none runs without it. */
  #sandboxNotice(item: JsonObject): AgentEvent[] {
    if (this.#sandboxTold || !/^bwrap: |landlock/i.test(text(item["aggregatedOutput"]) ?? "")) return [];
    this.#sandboxTold = true;
    const message =
      "Codex's sandbox does not work on this machine: its commands fail unless they are allowed to run outside of it.";
    return [{ type: "notice", level: "warning", code: "sandbox", message }];
  }

  /** Newer models report subagents without a call, so Reins creates one. */
  #activity(item: JsonObject, parent: string | undefined): AgentEvent[] {
    const threadId = text(item["agentThreadId"]);
    const callId = text(item["id"]);
    if (threadId === undefined || callId === undefined || item["kind"] !== "started") return [];
    const title = text(item["agentPath"]) ?? "Subagent";
    const call = { name: "spawn_agent", input: { message: title } };
    return [
      ...this.#o.calls.asked(callId, threadId, parent, call),
      ...this.#o.subagents.started(threadId, callId, parent, title),
    ];
  }
}

const knownTools: ReadonlySet<string> = new Set(
  words("commandExecution fileChange mcpToolCall dynamicToolCall webSearch imageView imageGeneration sleep"),
);

/** Items that are neither a tool call nor a text and need no event. */
const ignoredItems: ReadonlySet<string> = new Set(
  words("userMessage hookPrompt functionCallOutput enteredReviewMode exitedReviewMode"),
);

/** Events of a notification about neither an item nor a turn; undefined for an unknown notification. */
export function newsOf(method: string, params: JsonObject, parent: string | undefined): AgentEvent[] | undefined {
  switch (method) {
    case "turn/plan/updated":
      // A subagent keeps its own list, which is not the session's plan.
      return parent === undefined ? [{ type: "plan.updated", entries: planEntries(params["plan"]) }] : [];
    case "thread/name/updated":
      return parent === undefined
        ? [{ type: "session.updated", title: text(params["threadName"]) ?? "", by: "agent" }]
        : [];
    case "model/rerouted":
      return rerouted(params, parent);
    case "warning":
    case "guardianWarning":
      return warned(text(params["message"]), parent);
    case "configWarning": {
      const summary = text(params["summary"]);
      // Codex falls back to its bundled bubblewrap, so this warning is no problem.
      return summary?.includes("bundled bubblewrap") === true ? [] : warned(summary, parent);
    }
    case "mcpServer/startupStatus/updated":
      return params["status"] === "failed"
        ? warned(
            `The MCP server ${text(params["name"]) ?? ""} did not start: ${text(params["error"]) ?? "it did not say why"}`,
          )
        : [];
    default:
      return undefined;
  }
}

const planStatuses: Readonly<Record<string, PlanEntry["status"]>> = {
  completed: "completed",
  inProgress: "in_progress",
  in_progress: "in_progress",
};

/** The app server and the model's wire spell the status differently. */
export function planEntries(plan: unknown): PlanEntry[] {
  return records(plan).flatMap(({ step, status }) => {
    const words = text(step);
    return words === undefined ? [] : [{ text: words, status: planStatuses[String(status)] ?? "pending" }];
  });
}

function rerouted(params: JsonObject, parent: string | undefined): AgentEvent[] {
  const model = text(params["toModel"]);
  if (model === undefined || parent !== undefined) return [];
  return [{ type: "session.updated", model, by: "agent", reason: text(params["reason"]) }];
}

function warned(message: string | undefined, parent?: string): AgentEvent[] {
  return message === undefined ? [] : [{ type: "notice", level: "warning", code: "warning", message, parent }];
}

/** Notifications that Reins asks Codex not to send: they come with every turn or request. */
export const unwanted: readonly string[] = words(`
  remoteControl/status/changed rawResponse/completed thread/goal/cleared thread/readState/changed
  thread/status/changed turn/diff/updated
`);

export const ignored: ReadonlySet<string> = new Set([
  ...unwanted,
  // Effects of Reins's own requests.
  ...words("thread/started thread/settings/updated thread/closed serverRequest/resolved"),
  // The items contain the same information.
  ...words(`
    item/reasoning/summaryPartAdded item/fileChange/outputDelta item/fileChange/patchUpdated
    item/commandExecution/terminalInteraction item/plan/delta thread/compacted
    item/autoApprovalReview/started item/autoApprovalReview/completed
  `),
  // A hook that stops a tool shows as a failure of that tool.
  ...words("hook/started hook/completed"),
  // For Codex's own screen.
  ...words(`
    account/updated app/list/updated deprecationNotice fs/changed mcpServer/oauthLogin/completed
    model/safetyBuffering/updated model/verification skills/changed thread/archived thread/attachment/updated
    thread/environment/connected thread/environment/disconnected thread/goal/updated thread/prediction/updated
    thread/queue/changed turn/moderationMetadata
  `),
]);
