/** What an agent reports of a session, as events. Pure; nothing it is given makes it throw. */
import type { ErrorInfo } from "../../events/errors.ts";
import type { AgentEvent, PlanEntry } from "../../events/types.ts";
import type { FailureFacts } from "../failure.ts";
import type { Out, RpcAnswer } from "../json-rpc/index.ts";
import { isRecord, named, record, records, text } from "../json.ts";
import type { JsonObject } from "../json.ts";
import { Calls } from "./calls.ts";
import { contentOf } from "./content.ts";
import { endingOf } from "./failures.ts";
import type { Ending, Speaker } from "./failures.ts";
import { Texts } from "./messages.ts";
import type { AcpAside } from "./options.ts";
import { Facts } from "./settings.ts";
import type { FactsOptions } from "./settings.ts";
import { Usage } from "./usage.ts";

export interface TranslatorOptions extends Speaker, FactsOptions {
  readonly cwd: string;
  readonly resumed: boolean;
  /** Unique among the legs of a session. */
  readonly prefix: string;
}

/** What belongs to a turn: told again as history it is not told twice, and outside of a turn nobody asked for it. */
const ofTurns: ReadonlySet<unknown> = new Set(["agent_thought_chunk", "tool_call", "tool_call_update", "plan"]);

export class Translator {
  readonly facts: Facts;
  readonly strays: Strays;
  readonly calls: Calls;
  /** A prompt has no answer yet. */
  running = false;
  cancelling = false;
  /** An earlier conversation is being told again. */
  replaying = false;
  /** How much of it was told. */
  replayed = 0;
  readonly #options: TranslatorOptions;
  readonly #texts: Texts;
  readonly #usage: Usage;
  readonly #ignored: ReadonlySet<unknown>;
  /** The calls of the earlier conversation. */
  readonly #oldCalls = new Set<unknown>();
  #failure: FailureFacts | undefined;
  /** What would be an aside if nothing came after it. */
  #last: { readonly said: string; readonly update: JsonObject; readonly aside: AcpAside } | undefined;
  #retries = 0;
  /** The last one that was told. */
  #compaction: unknown;

  constructor(options: TranslatorOptions) {
    this.#options = options;
    this.facts = new Facts(options);
    this.strays = new Strays(options.name);
    this.calls = new Calls(options.cwd, options.quirks);
    this.#texts = new Texts(options.prefix, options.quirks.usageEndsMessages === true);
    this.#usage = new Usage(options.quirks.usage, options.resumed);
    this.#ignored = new Set(options.quirks.ignored);
  }

  /** The update of a `session/update`. */
  update(update: unknown, out: Out): void {
    if (!isRecord(update)) return this.strays.unknown("an update that is none", out);
    const kind = update["sessionUpdate"];
    if (this.replaying) {
      this.replayed++;
      if (kind === "tool_call") this.#oldCalls.add(update["toolCallId"]);
    }
    if (kind === "agent_message_chunk") return this.#chunk("message", update, out);
    if (this.#ignored.has(kind)) return;
    if (ofTurns.has(kind)) {
      if (this.running && !this.#isOld(kind, update)) this.#ofTurn(kind, update, out);
      else if (!this.running && !this.replaying) this.strays.late(named(kind), out);
    } else this.#ofSession(kind, update, out);
  }

  /** What became of a call of an earlier process, which was told there: it is no call of this turn. */
  #isOld(kind: unknown, update: JsonObject): boolean {
    const callId = update["toolCallId"];
    return kind === "tool_call_update" && this.#oldCalls.has(callId) && !this.calls.knows(callId);
  }

  /** A method or kind of its own that is known and means nothing to us. */
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

  /** The answer to the prompt. */
  ended(answer: RpcAnswer, out: Out): void {
    if (this.#last !== undefined) this.#tell(this.#last.aside, out);
    const ended = endingOf(answer, this.#failure, this.#options);
    // A person who says stop says no too; an agent may end the turn over the no before it hears of the stop.
    const stopped = this.cancelling && ended.error?.code === "permission_denied";
    const ending: Ending = stopped ? { outcome: "cancelled" } : ended;
    if (ending.unknown !== undefined) this.strays.unknown(`the stop reason ${ending.unknown}`, out);
    const usage = this.#usage.turn("result" in answer ? record(answer.result) : {});
    this.#close(out);
    out.push(...usage.events);
    out.push({
      type: "turn.ended",
      outcome: ending.outcome,
      error: ending.error,
      usage: usage.tokens,
      costUsd: usage.costUsd,
    });
  }

  /** The process is gone. */
  exited(error: ErrorInfo, out: Out): void {
    const running = this.running;
    this.#close(out);
    if (running) out.push({ type: "turn.ended", outcome: "failed", error });
  }

  /** Something else happens than text. */
  interrupt(out: Out): void {
    this.#texts.end(out);
  }

  /** The call of the subagent that says this. */
  parentOf(update: JsonObject): string | undefined {
    return this.#options.quirks.parent?.(update, this.calls.open());
  }

  #chunk(kind: "message" | "thought", update: JsonObject, out: Out): void {
    const content = update["content"];
    if (!isRecord(content)) return this.strays.unknown(`a ${kind} without content`, out);
    const said = content["type"] === "text" ? content["text"] : undefined;
    if (typeof said === "string") {
      // Some say nothing, to carry something beside it.
      if (said === "" || this.#aside(said, update, out)) return;
      this.#notLast(out);
      const read = kind === "thought" ? (this.#options.quirks.thought?.(said) ?? said) : said;
      if (this.running) return this.#texts.piece(kind, update["messageId"], this.parentOf(update), read, out);
    }
    if (this.replaying) return;
    if (!this.running) return this.strays.late(`a ${kind}`, out);
    const block = kind === "message" ? contentOf(content) : undefined;
    if (block === undefined || block.type === "text")
      return this.strays.unknown(`content ${named(content["type"])}`, out);
    this.#texts.block(update["messageId"], this.parentOf(update), block, out);
  }

  #aside(said: string, update: JsonObject, out: Out): boolean {
    if (this.#options.quirks.aside === undefined || this.replaying) return false;
    const aside: AcpAside | undefined = this.#options.quirks.aside(said);
    if (aside === undefined) return false;
    this.#notLast(out);
    if (aside.onlyLast === true && this.running) this.#last = { said, update, aside };
    else this.#tell(aside, out);
    return true;
  }

  /** Something is said after what could have been its last words. */
  #notLast(out: Out): void {
    if (this.#last === undefined) return;
    const { said, update } = this.#last;
    this.#last = undefined;
    this.#texts.piece("message", update["messageId"], this.parentOf(update), said, out);
  }

  #tell(aside: AcpAside, out: Out): void {
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
    // Some say it again that a call is over, in the middle of what they say next.
    if (this.calls.hasEnded(update["toolCallId"])) return;
    const over = update["status"] === "completed" || update["status"] === "failed";
    if (over || !this.calls.knows(update["toolCallId"])) this.interrupt(out);
    if (!this.calls.update(update, this.parentOf(update), this.cancelling, out)) {
      this.strays.unknown("a tool call without an id", out);
    }
  }

  #ofSession(kind: unknown, update: JsonObject, out: Out): void {
    // The echo of the prompt, or what was asked long ago.
    if (kind === "user_message_chunk") return;
    if (kind === "compaction_update") return this.#compacted(update, out);
    if (kind === "usage_update") {
      this.#texts.whole();
      const told = this.#usage.update(update);
      // Between turns it would begin one.
      if (this.running) out.push(...told);
      return;
    }
    if (!this.facts.update(kind, update, out)) this.strays.unknown(`an update ${named(kind)}`, out);
  }

  /** Told several times while it goes on, and at its end too. */
  #compacted({ compactionId, status }: JsonObject, out: Out): void {
    if (status !== "completed" || compactionId === this.#compaction || !this.running) return;
    this.#compaction = compactionId;
    out.push({ type: "context.compacted", trigger: "auto" });
  }

  #close(out: Out): void {
    this.interrupt(out);
    this.calls.turnEnded(out);
    this.strays.turnEnded(out);
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

/** A wire that makes up a new kind each time must not fill the memory. */
const maxKinds = 100;

interface Stray {
  readonly code: string;
  readonly message: string;
  count: number;
}

/** Updates that were not understood or not expected: one notice per kind and turn, and their number when it is over. */
export class Strays {
  readonly #seen = new Map<string, Stray>();
  readonly #name: string;

  constructor(name: string) {
    this.#name = name;
  }

  unknown(what: string, out: Out): void {
    this.#saw("unparsed", `${this.#name} sent ${what}, which Reins does not know; it was left out.`, out);
  }

  late(what: string, out: Out): void {
    this.#saw("late", `${this.#name} sent ${what} while no turn was running; it was left out.`, out);
  }

  refused(what: string, out: Out): void {
    this.#saw("divergence", `${this.#name} asked for ${what}, which Reins does not do.`, out);
  }

  unanswerable(what: string, out: Out): void {
    this.#saw("divergence", `${this.#name} sent ${what} and does not wait for an answer.`, out);
  }

  turnEnded(out: Out): void {
    for (const stray of this.#seen.values()) if (stray.count > 1) out.push(notice(stray));
    this.#seen.clear();
  }

  #saw(code: string, message: string, out: Out): void {
    const known = this.#seen.get(message);
    if (known !== undefined) {
      known.count++;
    } else if (this.#seen.size < maxKinds) {
      const stray = { code, message, count: 1 };
      this.#seen.set(message, stray);
      out.push(notice(stray));
    }
  }
}

function notice({ code, message, count }: Stray): AgentEvent {
  return { type: "notice", level: "warning", code, message, count: count > 1 ? count : undefined };
}
