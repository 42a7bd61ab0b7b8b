/** From the lines in which Claude Code writes a conversation down to what happened in it. Pure. */
import { list, record, text } from "../../drivers/stream-json/read.ts";
import type { Wire } from "../../drivers/stream-json/read.ts";
import type { PastPrompt } from "../contract.ts";
import type { PastReader } from "../shared/jsonl-history.ts";
import { PastTurns } from "../shared/past-turns.ts";
import { errorOf, failureSaid } from "./errors.ts";
import { Tasks } from "./tasks.ts";
import { Calls } from "./translate-calls.ts";

/** The line stands in the conversation itself, not in a subagent's, and is for people, not only for the model. */
export function isShown(entry: Wire): boolean {
  return entry["isSidechain"] !== true && entry["isMeta"] !== true && entry["isCompactSummary"] !== true;
}

/** What a person said in a `user` line; undefined where it is the result of a call, or only for the model. */
export function promptOf(entry: Wire): PastPrompt | undefined {
  const said = saidIn(entry);
  const words = said.filter((part) => !forModel.test(part) && !interrupted.test(part)).map(asTyped);
  const images = list(record(entry["message"])["content"]).filter((block) => record(block)["type"] === "image");
  if (words.length === 0 && images.length === 0) return undefined;
  const attachments = images.map(() => ({ kind: "image" as const, name: "image" }));
  return { text: words.join("\n"), ...(attachments.length > 0 ? { attachments } : {}) };
}

/** The program writes this down as if the person had said it. */
function isInterruption(entry: Wire): boolean {
  return saidIn(entry).some((part) => interrupted.test(part));
}

function saidIn(entry: Wire): string[] {
  const { content } = record(entry["message"]);
  const blocks = typeof content === "string" ? [{ type: "text", text: content }] : list(content).map(record);
  return blocks.flatMap((block) => (block["type"] === "text" ? (text(block["text"]) ?? []) : []));
}

const forModel =
  /^\s*<(?:system-reminder|local-command-|bash-std|task-notification|command-message>(?!.*<command-name>))/s;
const interrupted = /^\[Request interrupted by user/;

/** Commands are kept as the model is told of them. */
function asTyped(said: string): string {
  const [, command, rest = ""] = /<command-name>([^<]*)<\/command-name>(.*)$/s.exec(said) ?? [];
  if (command !== undefined) {
    const args = /<command-args>([^<]*)<\/command-args>/.exec(rest)?.[1] ?? "";
    return `${command} ${args}`.trim();
  }
  const shell = /^<bash-input>([\s\S]*)<\/bash-input>$/.exec(said)?.[1];
  return shell === undefined ? said : `! ${shell}`;
}

export class ClaudePast implements PastReader {
  readonly turns = new PastTurns();
  readonly #calls: Calls;
  /** A conversation that was resumed may have its lines twice. */
  readonly #seen = new Set<string>();

  constructor(cwd: string) {
    this.#calls = new Calls(cwd, new Tasks());
  }

  see(entry: Wire): void {
    const id = text(entry["uuid"]);
    if (id === undefined || this.#seen.has(id) || !isShown(entry)) return;
    this.#seen.add(id);
    this.turns.at(text(entry["timestamp"]));
    switch (entry["type"]) {
      case "user":
        return this.#user(entry);
      case "assistant":
        return this.#assistant(entry, record(entry["message"]));
      case "system":
        if (entry["subtype"] === "compact_boundary") {
          const trigger = text(record(entry["compactMetadata"])["trigger"]) ?? "auto";
          this.turns.event({ type: "context.compacted", trigger });
        }
    }
  }

  end(): void {
    this.turns.over();
  }

  #user(entry: Wire): void {
    const results = list(record(entry["message"])["content"]).map(record);
    const meta = results.map(({ tool_use_id: id }) => ({ id, permission_decision: entry["permissionDecision"] }));
    const message = { ...entry, tool_use_result: entry["toolUseResult"], tool_result_meta: meta };
    for (const event of this.#calls.results(message)) this.turns.event(event);
    if (isInterruption(entry)) this.turns.end("cancelled");
    const prompt = promptOf(entry);
    if (prompt === undefined) return;
    this.#calls.turnEnded();
    this.turns.prompt(prompt);
  }

  #assistant(entry: Wire, answer: Wire): void {
    const said = { ...entry, is_api_error_message: entry["isApiErrorMessage"] };
    const failure = failureSaid(said, answer, Date.parse(text(entry["timestamp"]) ?? ""));
    if (failure !== undefined) return this.turns.end("failed", errorOf(failure));
    for (const block of list(answer["content"]).map(record)) this.#block(block);
  }

  #block(block: Wire): void {
    switch (block["type"]) {
      case "text":
        return this.turns.message(text(block["text"]) ?? "");
      case "thinking":
        return this.turns.thought(text(block["thinking"]) ?? "");
      case "tool_use":
      case "server_tool_use":
        for (const event of this.#calls.started(block, undefined)) this.turns.event(event);
    }
  }
}
