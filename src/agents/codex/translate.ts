/**
 * Translates notifications of Codex's app server to events. Does no I/O and never throws for any message (law 6). The
 * conversation is one thread; its subagents are other threads in the same process.
 */
import type { Mode } from "../../events/modes.ts";
import type { AgentEvent } from "../../events/types.ts";
import type { Exit } from "../../process/types.ts";
import type { Ending, FailureFacts } from "../../protocols/failure.ts";
import { named, record, text, type JsonObject } from "../../protocols/json.ts";
import { Unparsed } from "../../protocols/stream-json/unparsed.ts";
import { isWork, nothing } from "../shared/translator-parts.ts";
import { factsOf, failures } from "./failures.ts";
import { program } from "./program.ts";
import { Calls } from "./translate-calls.ts";
import { ignored, Items, newsOf, type ProposedPlan } from "./translate-items.ts";
import { Subagents, Texts } from "./translate-threads.ts";
import { Limits, Usage } from "./usage.ts";

export interface TranslatorOptions {
  readonly cwd: string;
  readonly mode: Mode;
  /** Prefix of every messageId, which must be unique in the session. */
  readonly prefix: string;
  /** The thread is new, so its whole usage is known. */
  readonly fresh: boolean;
  readonly raw?: boolean | undefined;
}

const main = "main";

export class Translator {
  readonly calls: Calls;
  readonly subagents = new Subagents();
  readonly items: Items;
  mode: Mode;
  turnId: string | undefined;
  /** The plan of the turn that just ended. */
  proposed: ProposedPlan | undefined;
  #main: string | undefined;
  readonly #raw: boolean;
  readonly #texts: Texts;
  readonly #usage: Usage;
  readonly #limits = new Limits();
  readonly #unparsed = new Unparsed(program.name);
  #prompted = false;
  /** Subagents worked between two turns. */
  #aside = false;

  constructor({ cwd, mode, prefix, fresh, raw }: TranslatorOptions) {
    this.mode = mode;
    this.#raw = raw === true;
    this.calls = new Calls(cwd);
    this.#texts = new Texts(prefix);
    this.#usage = new Usage(fresh);
    const { calls, subagents } = this;
    this.items = new Items({ texts: this.#texts, calls, subagents, unparsed: this.#unparsed });
  }

  /** Sets the thread of the conversation. Until then every thread counts as that thread. */
  opened(threadId: string): void {
    this.#main = threadId;
  }

  threadOf(params: JsonObject): string {
    const threadId = text(params["threadId"]);
    return threadId === undefined || this.#main === undefined || threadId === this.#main ? main : threadId;
  }

  /** A turn of Reins is open, even if Codex has not started on it or has already finished. */
  get busy(): boolean {
    return this.#prompted || this.turnId !== undefined;
  }

  prompted(): void {
    this.#prompted = true;
    this.#aside = false;
  }

  refused(): void {
    this.#prompted = false;
    this.items.compacting = false;
  }

  notification(method: string, params: unknown, message?: unknown): readonly AgentEvent[] {
    try {
      const events = this.#notification(method, record(params));
      return this.#raw ? events.map((event) => ({ ...event, raw: message })) : events;
    } catch {
      return this.#unparsed.saw("a message that could not be read");
    }
  }

  /** Number of consecutive reports in this turn that Codex waits for the network, which it does forever. */
  waitsForNetwork = 0;
  /** The number of retries in Codex's configuration, once it is known. */
  mostRetries: number | undefined;
  #given: Ending | undefined;
  #lastRetry: FailureFacts = { text: "" };

  get isGivenUp(): boolean {
    return this.#given !== undefined;
  }

  /** Called when the turn is interrupted because of the last retry. */
  giveUp(): void {
    this.#given = failures.ending(this.#lastRetry);
  }

  /** Ends a turn whose end Codex reported before. */
  ends(ending: Ending): AgentEvent[] {
    this.proposed = undefined;
    return this.#end(ending);
  }

  exited(exit: Exit, stderrTail: string): AgentEvent[] {
    const { code, signal } = exit;
    const events: AgentEvent[] = [...this.#texts.endAll(), { type: "process.exited", code, signal, stderrTail }];
    if (!this.busy) return events;
    return [...events, ...this.#end({ outcome: "failed", error: failures.exit(exit, stderrTail) })];
  }

  /** Cases are sorted by frequency. */
  #notification(method: string, params: JsonObject): readonly AgentEvent[] {
    const threadId = this.threadOf(params);
    const parent = this.subagents.parentOf(threadId);
    // A thread that was not started here must not be taken for the conversation.
    if (threadId !== main && parent === undefined) return nothing;
    switch (method) {
      case "item/agentMessage/delta":
        return this.#worked(parent, this.#texts.delta("message", params, threadId, parent));
      case "item/reasoning/summaryTextDelta":
        return this.#worked(parent, this.#texts.delta("thought", params, threadId, parent, "summary"));
      case "item/reasoning/textDelta":
        return this.#worked(parent, this.#texts.delta("thought", params, threadId, parent, "content"));
      case "item/commandExecution/outputDelta":
        return this.calls.progressed(params["itemId"], params["delta"]);
      case "item/mcpToolCall/progress":
        return this.calls.progressed(params["itemId"], params["message"]);
      case "item/started":
        return this.#worked(parent, this.items.started(record(params["item"]), threadId, parent));
      case "item/completed":
        return this.#worked(parent, this.items.completed(record(params["item"]), threadId, parent));
      case "rawResponseItem/completed":
        return this.#worked(parent, this.calls.raw(record(params["item"]), threadId, parent));
      case "turn/started":
        return this.#turnStarted(threadId, text(record(params["turn"])["id"]));
      case "turn/completed":
        return this.#turnCompleted(threadId, record(params["turn"]));
      case "thread/tokenUsage/updated":
        this.#usage.read(threadId, record(params["tokenUsage"]), threadId !== main || this.#isNow(params["turnId"]));
        return nothing;
      case "account/rateLimits/updated":
        return this.#limits.updated(params["rateLimits"]);
      case "error":
        return this.#failed(params, threadId, parent);
      default:
        if (ignored.has(method)) return nothing;
        return newsOf(method, params, parent) ?? this.#unparsed.saw(`a message ${named(method)}`);
    }
  }

  /** After a resume Codex reports the usage of the previous turn, possibly after the next prompt was sent. */
  #isNow(turnId: unknown): boolean {
    return this.turnId !== undefined && (turnId === undefined || this.turnId === "" || turnId === this.turnId);
  }

  #turnStarted(threadId: string, turnId: string | undefined): readonly AgentEvent[] {
    if (threadId !== main) return this.subagents.turnStarted(threadId, turnId);
    this.turnId = turnId ?? "";
    return [{ type: "turn.phase", phase: "model" }];
  }

  #turnCompleted(threadId: string, turn: JsonObject): readonly AgentEvent[] {
    const done = turn["status"] === "completed";
    const events = [...this.#texts.endAll(threadId), ...this.calls.turnEnded(threadId, done)];
    if (threadId !== main) {
      events.push(...this.subagents.turnEnded(threadId, turn));
      return [...events, ...this.#asideEnded(turn)];
    }
    if (!this.busy) return events;
    const plan = this.items.takePlan();
    this.turnId = undefined;
    if (done && plan !== undefined && this.mode === "plan" && this.#prompted) {
      this.proposed = plan;
      return events;
    }
    return [...events, ...this.#end(this.#endingOf(turn))];
  }

  #endingOf(turn: JsonObject): Ending {
    if (turn["status"] === "completed") return { outcome: "done" };
    if (turn["status"] === "interrupted") return this.#given ?? { outcome: "cancelled" };
    return failures.ending(factsOf(turn["error"], this.#limits.resetsAt));
  }

  /** Ends the turn that subagents started between two prompts, once the last subagent is idle. */
  #asideEnded(turn: JsonObject): AgentEvent[] {
    if (this.busy || !this.#aside || this.subagents.running.length > 0) return [];
    this.#aside = false;
    const { tokens, events } = this.#usage.turnEnded();
    const outcome = turn["status"] === "interrupted" ? "cancelled" : "done";
    return [
      ...events,
      { type: "turn.ended", origin: "agent", outcome, usage: tokens, background: this.calls.background },
    ];
  }

  #end({ outcome, error }: Ending): AgentEvent[] {
    const origin = this.#prompted ? undefined : "agent";
    this.#prompted = false;
    this.turnId = undefined;
    this.items.compacting = false;
    this.waitsForNetwork = 0;
    this.#given = undefined;
    this.items.takePlan();
    this.#limits.turnEnded();
    const { tokens, events } = this.#usage.turnEnded();
    const background = [...this.subagents.running, ...this.calls.background];
    return [
      ...this.#unparsed.turnEnded(),
      ...events,
      { type: "turn.ended", origin, outcome, error, usage: tokens, background },
    ];
  }

  /** An error that is not retried also ends the turn, which reports it. */
  #failed(params: JsonObject, threadId: string, parent: string | undefined): readonly AgentEvent[] {
    const error = record(params["error"]);
    const facts = factsOf({ ...error, message: error["additionalDetails"] ?? error["message"] });
    const info = failures.error(facts);
    const { code, message } = info;
    if (params["willRetry"] !== true)
      return parent === undefined ? nothing : [{ type: "notice", level: "warning", code, message, parent }];
    const [, counted, ofAll] = /(\d+)\/(\d+)/.exec(text(error["message"]) ?? "") ?? [];
    if (counted === undefined && parent === undefined && code === "network") {
      this.waitsForNetwork++;
      this.#lastRetry = facts;
    }
    const attempt = Number(counted ?? (this.waitsForNetwork || 1));
    const ofMax = ofAll === undefined ? this.mostRetries : Number(ofAll);
    return [
      ...this.#texts.discardAll(threadId, "retry"),
      { type: "turn.phase", phase: "retry", parent },
      { type: "agent.retrying", attempt, ofMax, error: info, parent },
    ];
  }

  /** Work of subagents outside a turn begins one, in the core as well as here. */
  #worked(parent: string | undefined, events: readonly AgentEvent[]): readonly AgentEvent[] {
    if (parent !== undefined && !this.busy && events.some(isWork)) this.#aside = true;
    return events;
  }
}
