/**
 * Tool calls. Most are items, from `item/started` to `item/completed`. A command that the sandbox refuses, an unknown
 * tool and a few of Codex's own tools have no item. They are found in the raw items of the model's wire, which only a
 * fresh thread sends.
 */
import { clipText } from "../../events/clip.ts";
import { defaultLimits } from "../../events/limits.ts";
import type { AgentEvent, Content, ToolOutput } from "../../events/types.ts";
import { list, number, parseJson, record, text, type JsonObject } from "../../protocols/json.ts";
import { CallTracker, endOf, type OpenCall, type Outcome } from "../shared/calls.ts";
import { filesChanged, itemCall, namedCall, type NamedCall, type ToolCall } from "./tools.ts";

/** `item` is `{}` for a call without an item. */
interface CodexCall extends ToolCall {
  readonly threadId: string;
  readonly item: JsonObject;
}

const runsOn = "It runs in the background.";

export class Calls {
  readonly #cwd: string;
  readonly #tracker = new CallTracker<CodexCall>();
  readonly #wanted = new Map<string, NamedCall>();
  /** Commands that outlived their turn: callId to the parent of the call. */
  readonly #background = new Map<string, string | undefined>();

  constructor(cwd: string) {
    this.#cwd = cwd;
  }

  find(callId: string): OpenCall<CodexCall> | undefined {
    return this.#tracker.find(callId);
  }

  /** The last open call of an MCP server: a request does not say which call it is about. */
  ofServer(threadId: string, server: string, params: unknown): OpenCall<CodexCall> | undefined {
    const calls = this.#tracker.open.filter(({ call }) => call.threadId === threadId && call.mcp?.server === server);
    const wanted = JSON.stringify(params);
    return calls.findLast(({ call }) => JSON.stringify(call.input) === wanted) ?? calls.at(-1);
  }

  get background(): string[] {
    return [...this.#background.keys()];
  }

  started(item: JsonObject, threadId: string, parent: string | undefined): AgentEvent[] {
    const callId = text(item["id"]);
    const call = itemCall(item, this.#cwd);
    return callId === undefined || call === undefined ? [] : this.#start(callId, { ...call, threadId, item }, parent);
  }

  /** Starts a call that has no item but asks something. */
  asked(callId: string, threadId: string, parent: string | undefined, named: NamedCall): AgentEvent[] {
    return this.#start(callId, { ...namedCall(named, this.#cwd), threadId, item: {} }, parent);
  }

  progressed(callId: unknown, output: unknown): AgentEvent[] {
    return this.#tracker.progressed(text(callId) ?? "", text(output) ?? "");
  }

  completed(item: JsonObject, threadId: string, parent: string | undefined): AgentEvent[] {
    const callId = text(item["id"]);
    if (callId === undefined) return [];
    if (this.#background.has(callId)) return this.#backgroundEnded(callId, item);
    const before = this.started(item, threadId, parent);
    const open = this.#tracker.find(callId);
    if (open === undefined) return before;
    const events = [...before, ...this.#end(callId, itemOutcome(item))];
    if (item["type"] === "fileChange" && item["status"] === "completed")
      events.push(...filesChanged(item, callId, open.parent, this.#cwd));
    return events;
  }

  raw(item: JsonObject, threadId: string, parent: string | undefined): AgentEvent[] {
    const callId = text(item["call_id"]);
    if (callId === undefined) return [];
    switch (item["type"]) {
      case "function_call":
      case "custom_tool_call":
        this.#wanted.set(callId, calledIn(item));
        return [];
      case "function_call_output":
      case "custom_tool_call_output":
        return this.#answered(callId, item["output"], threadId, parent);
      default:
        return [];
    }
  }

  /** A command that is open when a turn ends normally continues; the core ends the other calls. */
  turnEnded(threadId: string, goesOn: boolean): AgentEvent[] {
    this.#wanted.clear();
    const left = this.#tracker.open.filter(({ call }) => call.threadId === threadId);
    return left.flatMap(({ callId, parent, call }): AgentEvent[] => {
      const end = this.#end(callId, { output: { text: runsOn, bytes: runsOn.length, kept: runsOn.length } });
      if (!goesOn || call.item["type"] !== "commandExecution") return [];
      this.#background.set(callId, parent);
      const task = { taskId: callId, callId, kind: "shell", title: call.title, status: "running", parent } as const;
      return [{ type: "task.started", ...task }, ...end];
    });
  }

  backgroundStopped(): AgentEvent[] {
    const stopped = [...this.#background].map(([callId, parent]): AgentEvent => {
      return { type: "task.updated", taskId: callId, callId, status: "stopped", parent };
    });
    this.#background.clear();
    return stopped;
  }

  #start(callId: string, call: CodexCall, parent: string | undefined): AgentEvent[] {
    this.#wanted.delete(callId);
    return this.#tracker.start(callId, call, parent);
  }

  #end(callId: string, outcome: Outcome): AgentEvent[] {
    const closed = this.#tracker.close(callId);
    return closed === undefined ? [] : [endOf(callId, outcome, closed.open?.parent)];
  }

  #answered(callId: string, output: unknown, threadId: string, parent: string | undefined): AgentEvent[] {
    const wanted = this.#wanted.get(callId);
    const open = this.#tracker.find(callId);
    // A call with an item also ends with that item.
    if (open !== undefined)
      return open.call.item["type"] === undefined ? this.#end(callId, toldOutcome("", output)) : [];
    if (wanted === undefined) return [];
    const started = this.asked(callId, threadId, parent, wanted);
    return [...started, ...this.#end(callId, toldOutcome(wanted.name, output))];
  }

  #backgroundEnded(callId: string, item: JsonObject): AgentEvent[] {
    const parent = this.#background.get(callId);
    this.#background.delete(callId);
    const { failed, output } = itemOutcome(item);
    const status = failed === undefined ? "completed" : "failed";
    return [{ type: "task.updated", taskId: callId, callId, status, summary: text(output.text.trim()), parent }];
  }
}

function calledIn(item: JsonObject): NamedCall {
  const given = item["arguments"] ?? item["input"];
  const input = typeof given === "string" ? (parseJson(given) ?? given) : given;
  return { name: text(item["name"]) ?? "unknown", namespace: text(item["namespace"]), input };
}

/** Texts for the model about a call that was not allowed. */
const rejection = /\brejected by user\b|\buser rejected\b|\breject command\b|approval policy is Never/i;

export function itemOutcome(item: JsonObject): Outcome {
  const durationMs = number(item["durationMs"]);
  switch (item["type"]) {
    case "commandExecution": {
      const said = typeof item["aggregatedOutput"] === "string" ? item["aggregatedOutput"] : "";
      const exitCode = number(item["exitCode"]);
      return { ...outcomeOf(said, item["status"], exitCode), durationMs, exitCode };
    }
    case "mcpToolCall": {
      const result = record(item["result"]);
      const said = text(record(item["error"])["message"]) ?? textsOf(result["content"]);
      const { output, failed } = outcomeOf(said, item["status"]);
      const content = imagesOf(result);
      return { failed, durationMs, output: content.length === 0 ? output : { ...output, content } };
    }
    case "dynamicToolCall": {
      const said = textsOf(item["contentItems"]);
      return { ...outcomeOf(said, item["success"] === false ? "failed" : item["status"]), durationMs };
    }
    case "collabAgentToolCall":
      // The reports of the subagents that the call waited for.
      return outcomeOf(textsOf(Object.values(record(item["agentsStates"])), "message"), item["status"]);
    default:
      return { ...outcomeOf("", item["status"]), durationMs };
  }
}

/** The outcome of a call without an item, from its output for the model. */
export function toldOutcome(name: string, told: unknown): Outcome {
  const whole = typeof told === "string" ? told : textsOf(told);
  const [, header, body] = /^([\s\S]*?)^Output:\n([\s\S]*)$/m.exec(whole) ?? [undefined, "", whole];
  const code = /^(?:Process exited with code|Exit code:) (-?\d+)/m.exec(header ?? "")?.[1];
  const exitCode = code === undefined ? undefined : Number(code);
  const broken = exitCode === undefined ? isRefusal(name, whole) : exitCode !== 0;
  return { ...outcomeOf(body ?? "", broken ? "failed" : "completed", exitCode), exitCode };
}

const isRefusal = (name: string, said: string): boolean =>
  /^(unsupported call|failed to parse|apply_patch verification failed|\w+ is unavailable)/i.test(said) ||
  said.startsWith(`${name} failed`) ||
  rejection.test(said);

function outcomeOf(said: string, status: unknown, exitCode?: number): Outcome {
  const kept = Buffer.byteLength(said);
  const output: ToolOutput = { text: said, bytes: kept, kept };
  if (status === "declined" || (status === "failed" && rejection.test(said)))
    return { output, failed: { error: { message: "It was not allowed." }, reason: "denied" } };
  if (status !== "failed" && status !== "interrupted") return { output };
  const message = clipText(said.trim(), defaultLimits.inlineBytes).text || "The tool failed without a message.";
  const error = exitCode === undefined ? { message } : { message, exitCode };
  return { output, failed: { error, reason: "error" } };
}

function imagesOf(result: JsonObject): Content[] {
  return list(result["content"]).flatMap((part): Content[] => {
    const { type, data, mimeType } = record(part);
    if (type !== "image" || typeof data !== "string") return [];
    const mediaType = text(mimeType) ?? "image/png";
    return [{ type, mediaType, data, bytes: Buffer.byteLength(data, "base64") }];
  });
}

function textsOf(parts: unknown, field = "text"): string {
  return list(parts)
    .flatMap((part) => text(record(part)[field]) ?? [])
    .join("\n");
}
