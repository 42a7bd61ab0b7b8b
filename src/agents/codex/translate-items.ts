/** The items of a turn: texts, tool calls, plans, subagents, a compaction. */
import type { AgentEvent } from "../../events/types.ts";
import { named, text } from "../../drivers/stream-json/read.ts";
import type { Wire } from "../../drivers/stream-json/read.ts";
import type { Unparsed } from "../../drivers/stream-json/unparsed.ts";
import { ignoredItems } from "./ignored.ts";
import type { Subagents } from "./subagents.ts";
import type { Calls } from "./translate-calls.ts";
import type { Texts } from "./translate-texts.ts";

export interface ItemParts {
  readonly texts: Texts;
  readonly calls: Calls;
  readonly subagents: Subagents;
  readonly unparsed: Unparsed;
}

/** A plan that waits for approval: the turn of Codex's is over, ours is not. */
export interface ProposedPlan {
  readonly callId: string;
  readonly plan: string;
}

const nothing: readonly AgentEvent[] = Object.freeze([]);

export class Items {
  readonly #o: ItemParts;
  compacting = false;
  #plan: ProposedPlan | undefined;
  #sandboxTold = false;

  constructor(parts: ItemParts) {
    this.#o = parts;
  }

  /** What it proposed in this turn. */
  takePlan(): ProposedPlan | undefined {
    const plan = this.#plan;
    this.#plan = undefined;
    return plan;
  }

  started(item: Wire, threadId: string, parent: string | undefined): readonly AgentEvent[] {
    switch (item["type"]) {
      case "userMessage":
        // What was steered in cuts off the answer that was being given: its model will not remember it.
        return this.#o.texts.discarded(threadId, "steered");
      case "contextCompaction":
        return [{ type: "turn.phase", phase: "compact", parent }];
      default:
        return this.#o.calls.started(item, threadId, parent);
    }
  }

  completed(item: Wire, threadId: string, parent: string | undefined): readonly AgentEvent[] {
    const type = named(item["type"]);
    switch (type) {
      case "agentMessage":
        if (parent !== undefined) this.#o.subagents.said(threadId, text(item["text"]));
        return this.#o.texts.whole("message", item, parent);
      case "reasoning":
        return this.#o.texts.whole("thought", item, parent);
      case "plan":
        if (parent === undefined) this.#plan = { callId: text(item["id"]) ?? "plan", plan: text(item["text"]) ?? "" };
        return nothing;
      case "contextCompaction": {
        const trigger = this.compacting ? "manual" : "auto";
        return [{ type: "context.compacted", trigger, parent }];
      }
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

  #toolCompleted(item: Wire, threadId: string, parent: string | undefined, type: string): readonly AgentEvent[] {
    const events = this.#o.calls.completed(item, threadId, parent);
    if (events.length > 0) return [...events, ...this.#sandboxNotice(item)];
    // One of a turn that is over, or one that is new to us.
    return knownTools.has(type) ? nothing : this.#o.unparsed.saw(`an item of type ${type}`);
  }

  /** In containers there may be no sandbox to be had. Then every command fails; none runs without it. */
  #sandboxNotice(item: Wire): AgentEvent[] {
    if (this.#sandboxTold || !/^bwrap: |landlock/i.test(text(item["aggregatedOutput"]) ?? "")) return [];
    this.#sandboxTold = true;
    const message =
      "Codex's sandbox does not work on this machine: its commands fail unless they are allowed to run outside of it.";
    return [{ type: "notice", level: "warning", code: "sandbox", message }];
  }

  /** Newer models tell of their subagents in this way: there is no call, so one is told. */
  #activity(item: Wire, parent: string | undefined): AgentEvent[] {
    const threadId = text(item["agentThreadId"]);
    const callId = text(item["id"]);
    if (threadId === undefined || callId === undefined || item["kind"] !== "started") return [];
    const title = text(item["agentPath"]) ?? "Subagent";
    const call = { name: "spawn_agent", namespace: undefined, input: { message: title } };
    return [
      ...this.#o.calls.asked(callId, threadId, parent, call),
      ...this.#o.subagents.started(threadId, callId, parent, title),
    ];
  }
}

const knownTools: ReadonlySet<string> = new Set([
  "commandExecution",
  "fileChange",
  "mcpToolCall",
  "dynamicToolCall",
  "webSearch",
  "imageView",
  "imageGeneration",
  "sleep",
]);
