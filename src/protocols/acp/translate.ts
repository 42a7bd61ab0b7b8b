/** Translates updates of a session into events. Has no side effects and never throws. */
import type { ErrorInfo } from "../../events/errors.ts";
import type { PlanEntry } from "../../events/types.ts";
import type { FailureFacts } from "../failure.ts";
import type { Out, RpcAnswer } from "../json-rpc/index.ts";
import { isRecord, named, record, records, text, type JsonObject } from "../json.ts";
import { Calls } from "./calls.ts";
import { contentOf } from "./content.ts";
import { endingOf, type Ending } from "./failures.ts";
import { Texts } from "./messages.ts";
import type { AcpAside } from "./options.ts";
import { Facts } from "./settings.ts";
import type { AcpOptions } from "./types.ts";
import { Unexpected } from "./unexpected.ts";
import { Usage } from "./usage.ts";

export interface TranslatorOptions extends Pick<AcpOptions, "name" | "agent" | "quirks" | "failures" | "cwd" | "mode"> {
  readonly resumed: boolean;
  /** Prefix of message ids, unique among the legs of a session. */
  readonly prefix: string;
}

/** Updates that belong to a turn. They are ignored in a replayed conversation and unexpected outside a turn. */
const ofTurns: ReadonlySet<unknown> = new Set(["agent_thought_chunk", "tool_call", "tool_call_update", "plan"]);

export class Translator {
  readonly facts: Facts;
  readonly unexpected: Unexpected;
  readonly calls: Calls;
  /** True while a prompt waits for its answer. */
  running = false;
  cancelling = false;
  /** True while the agent replays an earlier conversation. */
  replaying = false;
  replayed = 0;
  readonly #options: TranslatorOptions;
  readonly #texts: Texts;
  readonly #usage: Usage;
  readonly #ignored: ReadonlySet<unknown>;
  /** Calls of the replayed conversation. */
  readonly #oldCalls = new Set<unknown>();
  #failure: FailureFacts | undefined;
  /** A text that counts as an aside only if nothing follows it. */
  #last: { readonly said: string; readonly update: JsonObject; readonly aside: AcpAside } | undefined;
  #retries = 0;
  /** The id of the last compaction that was reported. */
  #compaction: unknown;

  constructor(options: TranslatorOptions) {
    this.#options = options;
    this.facts = new Facts(options);
    this.unexpected = new Unexpected(options.name);
    this.calls = new Calls(options.cwd, options.quirks);
    this.#texts = new Texts(options.prefix, options.quirks.usageEndsMessages === true);
    this.#usage = new Usage(options.quirks.usage, options.resumed);
    this.#ignored = new Set(options.quirks.ignored);
  }

  update(update: unknown, out: Out): void {
    if (!isRecord(update)) return this.unexpected.unknown("an invalid update", out);
    const kind = update["sessionUpdate"];
    if (this.replaying) {
      this.replayed++;
      if (kind === "tool_call") this.#oldCalls.add(update["toolCallId"]);
    }
    if (kind === "agent_message_chunk") return this.#chunk("message", update, out);
    if (this.#ignored.has(kind)) return;
    if (ofTurns.has(kind)) {
      if (this.running && !this.#isOld(kind, update)) this.#ofTurn(kind, update, out);
      else if (!this.running && !this.replaying) this.unexpected.late(named(kind), out);
    } else this.#ofSession(kind, update, out);
  }

  /** True for an update of a call that an earlier process already reported; it is no call of this turn. */
  #isOld(kind: unknown, update: JsonObject): boolean {
    const callId = update["toolCallId"];
    return kind === "tool_call_update" && this.#oldCalls.has(callId) && !this.calls.knows(callId);
  }

  ignores(what: string): boolean {
    return this.#ignored.has(what);
  }

  prompted(): void {
    this.running = true;
    this.cancelling = false;
    this.#failure = undefined;
    this.#last = undefined;
    this.#retries = 0;
  }

  /** Handles the answer to the prompt. */
  ended(answer: RpcAnswer, out: Out): void {
    if (this.#last !== undefined) this.#report(this.#last.aside, out);
    const ended = endingOf(answer, this.#failure, this.#options);
    // After a denial with stop, the agent may end the turn because of the denial before it reads the cancel.
    const stopped = this.cancelling && ended.error?.code === "permission_denied";
    const { outcome, error, unknown }: Ending = stopped ? { outcome: "cancelled" } : ended;
    if (unknown !== undefined) this.unexpected.unknown(`the stop reason ${unknown}`, out);
    const { events, tokens, costUsd } = this.#usage.turn("result" in answer ? record(answer.result) : {});
    this.#close(out);
    out.push(...events, { type: "turn.ended", outcome, error, usage: tokens, costUsd });
  }

  exited(error: ErrorInfo, out: Out): void {
    const running = this.running;
    this.#close(out);
    if (running) out.push({ type: "turn.ended", outcome: "failed", error });
  }

  /** Ends the message that streams now, because another event follows. */
  interrupt(out: Out): void {
    this.#texts.end(out);
  }

  /** The call of the subagent that sent the update. */
  parentOf(update: JsonObject): string | undefined {
    return this.#options.quirks.parent?.(update, this.calls.open());
  }

  #chunk(kind: "message" | "thought", update: JsonObject, out: Out): void {
    const content = update["content"];
    if (!isRecord(content)) return this.unexpected.unknown(`a ${kind} without content`, out);
    const said = content["type"] === "text" ? content["text"] : undefined;
    if (typeof said === "string") {
      // Some agents send empty text to carry other fields.
      if (said === "" || this.#aside(said, update, out)) return;
      this.#notLast(out);
      const read = kind === "thought" ? (this.#options.quirks.thought?.(said) ?? said) : said;
      if (this.running) return this.#texts.piece(kind, update["messageId"], this.parentOf(update), read, out);
    }
    if (this.replaying) return;
    if (!this.running) return this.unexpected.late(`a ${kind}`, out);
    const block = kind === "message" ? contentOf(content) : undefined;
    if (block === undefined || block.type === "text")
      return this.unexpected.unknown(`content ${named(content["type"])}`, out);
    this.#texts.block(update["messageId"], this.parentOf(update), block, out);
  }

  #aside(said: string, update: JsonObject, out: Out): boolean {
    if (this.#options.quirks.aside === undefined || this.replaying) return false;
    const aside: AcpAside | undefined = this.#options.quirks.aside(said);
    if (aside === undefined) return false;
    this.#notLast(out);
    if (aside.onlyLast === true && this.running) this.#last = { said, update, aside };
    else this.#report(aside, out);
    return true;
  }

  /** Something follows, so the held text is an ordinary message. */
  #notLast(out: Out): void {
    if (this.#last === undefined) return;
    const { said, update } = this.#last;
    this.#last = undefined;
    this.#texts.piece("message", update["messageId"], this.parentOf(update), said, out);
  }

  #report(aside: AcpAside, out: Out): void {
    if (aside.discards === true) this.#texts.discard(out);
    this.interrupt(out);
    if (aside.mode !== undefined) this.facts.update("current_mode_update", { currentModeId: aside.mode }, out);
    if (aside.events !== undefined) out.push(...aside.events);
    if (!this.running) return;
    this.#failure = aside.failure ?? this.#failure;
    if (aside.retrying === undefined) return;
    const error = this.#options.failures.error(aside.retrying);
    out.push({ type: "turn.phase", phase: "retry" }, { type: "agent.retrying", attempt: ++this.#retries, error });
  }

  #ofTurn(kind: unknown, update: JsonObject, out: Out): void {
    if (kind === "agent_thought_chunk") return this.#chunk("thought", update, out);
    this.#notLast(out);
    if (kind === "plan") {
      out.push({ type: "plan.updated", entries: records(update["entries"]).flatMap(planEntry) });
      return;
    }
    // Some agents repeat the end of a call in the middle of the next message.
    if (this.calls.hasEnded(update["toolCallId"])) return;
    const over = update["status"] === "completed" || update["status"] === "failed";
    if (over || !this.calls.knows(update["toolCallId"])) this.interrupt(out);
    if (!this.calls.update(update, this.parentOf(update), this.cancelling, out)) {
      this.unexpected.unknown("a tool call without an id", out);
    }
  }

  #ofSession(kind: unknown, update: JsonObject, out: Out): void {
    // The echo of the prompt, or of an earlier one.
    if (kind === "user_message_chunk") return;
    if (kind === "compaction_update") return this.#compacted(update, out);
    if (kind === "usage_update") {
      this.#texts.whole();
      const events = this.#usage.update(update);
      // Between turns this event would start a turn.
      if (this.running) out.push(...events);
      return;
    }
    if (!this.facts.update(kind, update, out)) this.unexpected.unknown(`an update ${named(kind)}`, out);
  }

  /** The agent sends several updates per compaction; report only its end. */
  #compacted({ compactionId, status }: JsonObject, out: Out): void {
    if (status !== "completed" || compactionId === this.#compaction || !this.running) return;
    this.#compaction = compactionId;
    out.push({ type: "context.compacted", trigger: "auto" });
  }

  #close(out: Out): void {
    this.interrupt(out);
    this.calls.turnEnded(out);
    this.unexpected.turnEnded(out);
    this.running = false;
    this.cancelling = false;
  }
}

function planEntry(entry: JsonObject): PlanEntry[] {
  const said = text(entry["content"]);
  if (said === undefined) return [];
  const { status, priority } = entry;
  const plan: PlanEntry = {
    text: said,
    status: status === "completed" || status === "in_progress" ? status : "pending",
  };
  if (priority === "low" || priority === "medium" || priority === "high") plan.priority = priority;
  return [plan];
}
