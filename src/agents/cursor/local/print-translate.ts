/** From the lines of `agent -p --output-format stream-json` to events, one turn each. Pure; whatever comes, it does not throw. */
import { randomUUID } from "node:crypto";
import { list, named, number, record, text } from "../../../drivers/stream-json/read.ts";
import type { Wire } from "../../../drivers/stream-json/read.ts";
import { Unparsed } from "../../../drivers/stream-json/unparsed.ts";
import type { AgentEvent, Tokens } from "../../../events/types.ts";
import type { Exit } from "../../../process/types.ts";
import type { Ending } from "../../shared/error-info.ts";
import { errorInfoOf, exitError, retryError, toldError } from "../errors.ts";
import { program } from "../program.ts";
import { chatIdIn } from "./chat-id.ts";
import { PrintCalls, toldCall } from "./print-calls.ts";
import type { ToldCall } from "./print-calls.ts";
import { oldCall } from "./print-old-shape.ts";
import { PrintQueries } from "./print-queries.ts";
import { PrintTexts } from "./print-texts.ts";
import { usageIn } from "./print-usage.ts";

export interface PrintTranslatorOptions {
  readonly cwd: string;
  /** The program told which conversation this is, and what its model is called. */
  readonly onChat: (chatId: string | undefined, modelLabel: string | undefined) => readonly AgentEvent[];
  readonly raw?: boolean | undefined;
}

/** Known, and told better elsewhere: the prompt said again, and all of the text once more. */
const ignored: ReadonlySet<unknown> = new Set(["user", "text"]);

const endings: ReadonlySet<unknown> = new Set(["completed", "error", "failed", "cancelled", "rejected"]);

export class PrintTranslator {
  /** Whatever it says of the end, it was told to stop. */
  cancelled = false;
  readonly #o: PrintTranslatorOptions;
  readonly #texts = new PrintTexts();
  readonly #calls: PrintCalls;
  readonly #queries = new PrintQueries();
  readonly #unparsed = new Unparsed(program.name);
  #told: string | undefined;
  #lastLine = "";
  #messages = 0;
  #identified = false;
  #attempts = 0;
  #over = false;

  constructor(options: PrintTranslatorOptions) {
    this.#o = options;
    this.#calls = new PrintCalls(options.cwd, randomUUID().slice(0, 8));
  }

  /** It said how the turn ended. */
  get over(): boolean {
    return this.#over;
  }

  /** A parsed line, or the text of one that is no JSON. */
  translate(line: unknown): readonly AgentEvent[] {
    if (this.#over) return [];
    const events = this.#message(line);
    return this.#o.raw === true ? events.map((event) => ({ ...event, raw: line })) : events;
  }

  /** The process is gone; where it told no result it was cancelled, or died. */
  exited(exit: Exit, stderrTail: string): readonly AgentEvent[] {
    if (this.#over) return [];
    const garbage = this.#messages === 0 && this.#unparsed.garbage > 0;
    const failure = () =>
      this.#told === undefined ? exitError(exit, stderrTail, garbage, this.#lastLine) : toldError(this.#told);
    const ending: Ending = this.cancelled ? { outcome: "cancelled" } : { outcome: "failed", error: failure() };
    const gone: AgentEvent = { type: "process.exited", code: exit.code, signal: exit.signal, stderrTail };
    const [last, ...before] = this.#end(ending).toReversed();
    return [
      ...this.#o.onChat(undefined, undefined),
      ...before.toReversed(),
      ...(this.cancelled ? [] : [gone]),
      ...(last === undefined ? [] : [last]),
    ];
  }

  #message(line: unknown): AgentEvent[] {
    if (typeof line !== "object" || line === null || Array.isArray(line)) {
      if (typeof line === "string") this.#lastLine = line;
      return this.#unparsed.line(line);
    }
    this.#messages++;
    const message = record(line);
    const { type } = message;
    const introduces = type === "system" && message["subtype"] === "init";
    const chatId = chatIdIn(message);
    // A subagent may have an id of its own; only who introduces itself, or ends, tells that of the conversation.
    const counts = introduces || type === "result" || !this.#identified;
    this.#identified ||= chatId !== undefined;
    const known = this.#o.onChat(counts ? chatId : undefined, introduces ? text(message["model"]) : undefined);
    return [...known, ...this.#typed(type, message)];
  }

  #typed(type: unknown, message: Wire): AgentEvent[] {
    switch (type) {
      case "assistant":
        return this.#said(message);
      case "thinking":
        return this.#thought(message);
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
        this.#told = text(message["message"]) ?? text(record(message["error"])["message"]) ?? text(message["error"]);
        return [];
      case "result":
        return this.#result(message);
      default:
        return ignored.has(type) ? [] : this.#unparsed.saw(`a message of type ${named(type)}`);
    }
  }

  /** A piece has a time and no id of its model's call; a segment has both, and the last one neither. */
  #said(message: Wire): AgentEvent[] {
    const { content } = record(message["message"]);
    const said = typeof content === "string" ? content : list(content).map(blockText).join("");
    const modelCall = text(message["model_call_id"]);
    if (modelCall !== undefined) return this.#texts.whole(said, modelCall);
    return message["timestamp_ms"] === undefined ? this.#texts.either(said) : this.#texts.piece(said);
  }

  #thought(message: Wire): AgentEvent[] {
    const said = text(message["text"]) ?? "";
    return message["subtype"] === "completed" ? this.#texts.thoughtOver(said) : this.#texts.thought(said);
  }

  #call(message: Wire): AgentEvent[] {
    const told = toldCall(message) ?? oldCall(message);
    if (told === undefined) return this.#unparsed.saw("a tool call that names no tool");
    const { subtype } = message;
    if (subtype === "started") return [...this.#texts.ended(), ...this.#queries.heard(this.#calls.started(told))];
    if (endings.has(subtype)) return [...this.#texts.ended(), ...this.#queries.heard(this.#calls.ended(told))];
    return this.#unparsed.saw(`a tool call of kind ${named(subtype)}`);
  }

  /** Nobody knows what came of a call that has no result. */
  #untold(call: ToldCall): AgentEvent[] {
    return call.result === undefined ? this.#calls.started(call) : this.#calls.ended(call);
  }

  #system(message: Wire): AgentEvent[] {
    const { subtype } = message;
    if (subtype === "init") return [{ type: "turn.phase", phase: "model" }];
    if (subtype !== "task_notification" && subtype !== "background_shell_timeout")
      return this.#unparsed.saw(`a message of its system of kind ${named(subtype)}`);
    const said = ["message", "summary", "text", "description"].map((name) => text(message[name])).find(Boolean);
    return said === undefined ? [] : [{ type: "notice", level: "info", code: "agent", message: said }];
  }

  /** Where it does not go on with what it had said, it says it again. */
  #retry(message: Wire): AgentEvent[] {
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

  #result(message: Wire): AgentEvent[] {
    const { subtype } = message;
    const said = text(message["result"]);
    if (subtype === "cancelled" || this.cancelled) return this.#end({ outcome: "cancelled" });
    if (subtype === "error" || message["is_error"] === true) {
      const why = text(message["error"]) ?? text(record(message["error"])["message"]) ?? said ?? this.#told;
      const error = why === undefined ? errorInfoOf("internal", "Cursor failed and did not say why.") : toldError(why);
      return this.#end({ outcome: "failed", error });
    }
    const only = this.#texts.any || said === undefined ? [] : this.#texts.whole(said, undefined);
    return [...only, ...this.#end({ outcome: "done" }, usageIn(message["usage"]))];
  }

  #end(ending: Ending, usage?: Tokens): AgentEvent[] {
    this.#over = true;
    return [
      ...this.#texts.ended(),
      ...this.#queries.untold().flatMap((call) => this.#untold(call)),
      ...this.#calls.turnEnded(),
      ...this.#unparsed.turnEnded(),
      ...(usage === undefined ? [] : [{ type: "usage.updated", scope: "turn", tokens: usage } as const]),
      { type: "turn.ended", ...ending, usage },
    ];
  }
}

function blockText(block: unknown): string {
  return text(record(block)["text"]) ?? "";
}
