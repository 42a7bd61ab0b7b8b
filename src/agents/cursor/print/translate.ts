/** Translates the lines of `agent -p --output-format stream-json` to events, one turn each. Never throws. */
import { randomUUID } from "node:crypto";
import type { AgentEvent, Tokens } from "../../../events/types.ts";
import type { Exit } from "../../../process/types.ts";
import type { Ending } from "../../../protocols/failure.ts";
import { isRecord, list, named, number, record, text, type JsonObject } from "../../../protocols/json.ts";
import { Unparsed } from "../../../protocols/stream-json/unparsed.ts";
import { UsageCounter, tokensFrom } from "../../../protocols/usage.ts";
import { exitError, retryError, toldError } from "../failures.ts";
import { program } from "../program.ts";
import { PrintCalls, PrintQueries, oldCall, toldCall, wholeNumber } from "./calls.ts";
import { chatIdIn } from "./chat.ts";
import { PrintTexts } from "./texts.ts";

interface PrintTranslatorOptions {
  readonly cwd: string;
  readonly onChat: (chatId: string | undefined, modelLabel: string | undefined) => readonly AgentEvent[];
  readonly raw?: boolean | undefined;
}

/** Messages that only repeat the prompt (`user`) or the complete answer (`text`). */
const ignored: ReadonlySet<unknown> = new Set(["user", "text"]);

const endings: ReadonlySet<unknown> = new Set(["completed", "error", "failed", "cancelled", "rejected"]);

export class PrintTranslator {
  /** The turn was cancelled, whatever the program reports about its end. */
  cancelled = false;
  over = false;
  readonly #o: PrintTranslatorOptions;
  readonly #texts = new PrintTexts();
  readonly #calls: PrintCalls;
  readonly #queries = new PrintQueries();
  readonly #unparsed = new Unparsed(program.name);
  readonly #usage = new UsageCounter();
  #error: string | undefined;
  #lastLine = "";
  #messages = 0;
  #identified = false;
  #attempts = 0;

  constructor(options: PrintTranslatorOptions) {
    this.#o = options;
    this.#calls = new PrintCalls(options.cwd, randomUUID().slice(0, 8));
  }

  /** Takes a parsed line, or the text of a line that is not JSON. */
  translate(line: unknown): readonly AgentEvent[] {
    if (this.over) return [];
    const events = this.#message(line);
    return this.#o.raw === true ? events.map((event) => ({ ...event, raw: line })) : events;
  }

  /** Called when the process has ended; without a result it was cancelled or died. */
  exited(exit: Exit, stderrTail: string): readonly AgentEvent[] {
    if (this.over) return [];
    const garbage = this.#messages === 0 && this.#unparsed.garbage > 0;
    const failure = () =>
      this.#error === undefined ? exitError(exit, stderrTail, garbage, this.#lastLine) : toldError(this.#error);
    const ending: Ending = this.cancelled ? { outcome: "cancelled" } : { outcome: "failed", error: failure() };
    const gone: AgentEvent = { type: "process.exited", code: exit.code, signal: exit.signal, stderrTail };
    const events = this.#end(ending);
    const all = this.cancelled ? events : events.toSpliced(-1, 0, gone);
    return [...this.#o.onChat(undefined, undefined), ...all];
  }

  #message(line: unknown): AgentEvent[] {
    if (!isRecord(line)) {
      if (typeof line === "string") this.#lastLine = line;
      return this.#unparsed.line(line);
    }
    this.#messages++;
    const { type } = line;
    const introduces = type === "system" && line["subtype"] === "init";
    const chatId = chatIdIn(line);
    // A subagent may have its own id; only the first and the last message have that of the chat.
    const counts = introduces || type === "result" || !this.#identified;
    this.#identified ||= chatId !== undefined;
    const known = this.#o.onChat(counts ? chatId : undefined, introduces ? text(line["model"]) : undefined);
    return [...known, ...this.#typed(type, line)];
  }

  #typed(type: unknown, message: JsonObject): AgentEvent[] {
    switch (type) {
      case "assistant":
        return this.#said(message);
      case "thinking": {
        const said = text(message["text"]) ?? "";
        return message["subtype"] === "completed" ? this.#texts.thoughtOver(said) : this.#texts.thought(said);
      }
      case "tool_call":
        return this.#call(message);
      case "interaction_query":
        return this.#queries.told(message) ? [] : this.#unparsed.saw(`a query of type ${named(message["query_type"])}`);
      case "system":
        return this.#system(message);
      case "connection":
        return [{ type: "turn.phase", phase: message["subtype"] === "reconnected" ? "model" : "retry" }];
      case "retry":
        return this.#retry(message);
      case "error":
        this.#error = text(message["message"]) ?? text(record(message["error"])["message"]) ?? text(message["error"]);
        return [];
      case "result":
        return this.#result(message);
      default:
        return ignored.has(type) ? [] : this.#unparsed.saw(`a message of type ${named(type)}`);
    }
  }

  /** A piece has a timestamp and no id of the model's answer; a segment has both, and the last segment neither. */
  #said(message: JsonObject): AgentEvent[] {
    const { content } = record(message["message"]);
    const blocks = list(content).map((block) => text(record(block)["text"]) ?? "");
    const said = typeof content === "string" ? content : blocks.join("");
    const modelCall = text(message["model_call_id"]);
    if (modelCall !== undefined) return this.#texts.whole(said, modelCall);
    return message["timestamp_ms"] === undefined ? this.#texts.either(said) : this.#texts.piece(said);
  }

  #call(message: JsonObject): AgentEvent[] {
    const told = toldCall(message) ?? oldCall(message);
    if (told === undefined) return this.#unparsed.saw("a tool call that names no tool");
    const { subtype } = message;
    if (subtype === "started") return [...this.#texts.ended(), ...this.#queries.heard(this.#calls.started(told))];
    if (endings.has(subtype)) return [...this.#texts.ended(), ...this.#queries.heard(this.#calls.ended(told))];
    return this.#unparsed.saw(`a tool call of kind ${named(subtype)}`);
  }

  #system(message: JsonObject): AgentEvent[] {
    const { subtype } = message;
    if (subtype === "init") return [{ type: "turn.phase", phase: "model" }];
    if (subtype !== "task_notification" && subtype !== "background_shell_timeout")
      return this.#unparsed.saw(`a system message of kind ${named(subtype)}`);
    const said = ["message", "summary", "text", "description"].map((name) => text(message[name])).find(Boolean);
    return said === undefined ? [] : [{ type: "notice", level: "info", code: "agent", message: said }];
  }

  /** Unless the retry resumes, the answer comes again from its beginning. */
  #retry(message: JsonObject): AgentEvent[] {
    const attempt = number(message["attempt"]) ?? this.#attempts + 1;
    const isNews = attempt !== this.#attempts;
    this.#attempts = attempt;
    const resumes = message["is_resume"] === true || message["subtype"] === "resuming";
    return [
      ...(resumes ? [] : this.#texts.again()),
      { type: "turn.phase", phase: "retry" },
      ...(isNews ? [{ type: "agent.retrying", attempt, error: retryError() } as const] : []),
    ];
  }

  #result(message: JsonObject): AgentEvent[] {
    const { subtype, error } = message;
    const said = text(message["result"]);
    if (subtype === "cancelled" || this.cancelled) return this.#end({ outcome: "cancelled" });
    if (subtype === "error" || message["is_error"] === true) {
      const why = text(error) ?? text(record(error)["message"]) ?? said ?? this.#error;
      return this.#end({ outcome: "failed", error: toldError(why ?? "") });
    }
    const only = this.#texts.any || said === undefined ? [] : this.#texts.whole(said, undefined);
    this.#usage.add({ tokens: usageIn(message["usage"]) });
    return [...only, ...this.#end({ outcome: "done" })];
  }

  #end(ending: Ending): AgentEvent[] {
    this.over = true;
    const { tokens: usage, events } = this.#usage.turnEnded();
    return [
      ...this.#texts.ended(),
      // A call without a result stays open, because its outcome is unknown.
      ...this.#queries
        .untold()
        .flatMap((call) => (call.result === undefined ? this.#calls.started(call) : this.#calls.ended(call))),
      ...this.#calls.turnEnded(),
      ...this.#unparsed.turnEnded(),
      ...events,
      { type: "turn.ended", ...ending, usage },
    ];
  }
}

/** `inputTokens` does not include tokens read from the cache. */
export function usageIn(value: unknown): Tokens {
  const usage = record(value);
  const amount = (name: string, older: string): number | undefined => wholeNumber(usage[name] ?? usage[older]);
  return tokensFrom({
    input: amount("inputTokens", "input_tokens"),
    output: amount("outputTokens", "output_tokens"),
    cacheRead: amount("cacheReadTokens", "cache_read_tokens"),
    cacheWrite: amount("cacheWriteTokens", "cache_write_tokens"),
  });
}
