/** From the lines of `codex exec --json` to events. There are no pieces and no codes; an item comes when it begins or is over. */
import type { AgentEvent, Tokens } from "../../events/types.ts";
import type { Exit } from "../../process/types.ts";
import { named, number, record, text } from "../../drivers/stream-json/read.ts";
import type { Wire } from "../../drivers/stream-json/read.ts";
import { Unparsed } from "../../drivers/stream-json/unparsed.ts";
import { exitError } from "./errors-exit.ts";
import { endingOf } from "./errors.ts";
import type { Ending } from "../shared/error-info.ts";
import { program } from "./program.ts";
import { Calls } from "./translate-calls.ts";
import { Texts } from "./translate-texts.ts";

export interface OneShotOptions {
  readonly cwd: string;
  readonly prefix: string;
  /** What it used is told since the conversation began. */
  readonly fresh: boolean;
}

export class OneShotTranslator {
  threadId: string | undefined;
  readonly #fresh: boolean;
  readonly #calls: Calls;
  readonly #texts: Texts;
  readonly #unparsed = new Unparsed(program.name);
  #ending: (Ending & { readonly usage?: Tokens }) | undefined;

  constructor({ cwd, prefix, fresh }: OneShotOptions) {
    this.#fresh = fresh;
    this.#calls = new Calls(cwd);
    this.#texts = new Texts(prefix);
  }

  /** Nothing more will come, though the process may stay for seconds. */
  get over(): boolean {
    return this.#ending !== undefined;
  }

  line(line: string): readonly AgentEvent[] {
    let message: Wire;
    try {
      message = record(JSON.parse(line));
    } catch {
      return this.#unparsed.saw("a line that is no JSON");
    }
    switch (message["type"]) {
      case "thread.started":
        this.threadId = text(message["thread_id"]) ?? this.threadId;
        return [];
      case "turn.started":
        return [{ type: "turn.phase", phase: "model" }];
      case "item.started":
        return this.#calls.started(itemOf(message), "main", undefined);
      case "item.updated":
        return [];
      case "item.completed":
        return this.#completed(itemOf(message));
      case "turn.completed":
        return this.#turnCompleted(record(message["usage"]));
      case "turn.failed":
        this.#ending ??= endingOf(message["error"], undefined);
        return [];
      case "error":
        // A retry, or what `turn.failed` tells again.
        return [];
      default:
        return this.#unparsed.saw(`a message of type ${named(message["type"])}`);
    }
  }

  exited(exit: Exit, stderrTail: string, cancelled: boolean): AgentEvent[] {
    const failed = (): Ending => ({ outcome: "failed", error: exitError(exit, stderrTail, false) });
    const ending = cancelled ? ({ outcome: "cancelled" } as const) : (this.#ending ?? failed());
    return [
      ...this.#texts.ended(),
      ...this.#unparsed.turnEnded(),
      { type: "process.exited", code: exit.code, signal: exit.signal, stderrTail },
      { type: "turn.ended", ...ending },
    ];
  }

  #completed(item: Wire): readonly AgentEvent[] {
    switch (item["type"]) {
      case "agentMessage":
        return this.#texts.whole("message", item, undefined);
      case "reasoning":
        return this.#texts.whole("thought", { ...item, summary: [item["text"]] }, undefined);
      case "error": {
        const message = text(item["message"]);
        return message === undefined ? [] : [{ type: "notice", level: "warning", code: "warning", message }];
      }
      default:
        return this.#calls.completed(item, "main", undefined);
    }
  }

  #turnCompleted(usage: Wire): AgentEvent[] {
    const amount = (name: string) => Math.max(0, number(usage[name]) ?? 0);
    const cacheRead = amount("cached_input_tokens");
    const cacheWrite = amount("cache_write_input_tokens");
    const input = Math.max(0, amount("input_tokens") - cacheRead - cacheWrite);
    const tokens: Tokens = { input, output: amount("output_tokens"), cacheRead, cacheWrite };
    this.#ending = this.#fresh ? { outcome: "done", usage: tokens } : { outcome: "done" };
    return this.#fresh ? [{ type: "usage.updated", scope: "turn", tokens }] : [];
  }
}

/** The same items under the names of the app server. */
function itemOf(message: Wire): Wire {
  const { type, aggregated_output, exit_code, ...item } = record(message["item"]);
  const name = named(type).replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
  const changes = Array.isArray(item["changes"])
    ? item["changes"].map((change) => ({ ...record(change), kind: { type: record(change)["kind"] } }))
    : undefined;
  return {
    ...item,
    type: name,
    aggregatedOutput: aggregated_output,
    exitCode: exit_code,
    ...(changes !== undefined && { changes }),
  };
}
