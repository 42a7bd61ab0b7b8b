/**
 * Tool calls. Most are items, from `item/started` to `item/completed`; a command that the sandbox refuses, a tool that is not there and
 * a few of its own have none, and are told by what went to and from the model (raw items, which only a fresh thread sends).
 */
import type { AgentEvent } from "../../events/types.ts";
import { record, text } from "../../drivers/stream-json/read.ts";
import type { Wire } from "../../drivers/stream-json/read.ts";
import { filesChanged } from "./tools-files.ts";
import { itemOutcome, toldOutcome } from "./tools-results.ts";
import type { Outcome } from "./tools-results.ts";
import { itemCall, namedCall } from "./tools.ts";
import type { NamedCall, ToolCall } from "./tools.ts";

/** A call that was started and has no end yet. */
export interface OpenCall {
  readonly callId: string;
  readonly threadId: string;
  readonly parent: string | undefined;
  readonly call: ToolCall;
  readonly item: Wire;
}

export class Calls {
  readonly #cwd: string;
  readonly #open = new Map<string, OpenCall>();
  /** Told already, ended or not. */
  readonly #told = new Set<string>();
  /** What the model called and nothing was told about yet. */
  readonly #wanted = new Map<string, NamedCall>();
  /** Commands that outlived their turn, by callId; the value is the call's parent. */
  readonly #background = new Map<string, string | undefined>();

  constructor(cwd: string) {
    this.#cwd = cwd;
  }

  find(callId: string): OpenCall | undefined {
    return this.#open.get(callId);
  }

  /** The last open call of an MCP server's tool: a request for it does not say which call it is about. */
  ofServer(threadId: string, server: string, params: unknown): OpenCall | undefined {
    const calls = [...this.#open.values()].filter(
      (open) => open.threadId === threadId && open.call.mcp?.server === server,
    );
    const wanted = JSON.stringify(params);
    return calls.findLast(({ call }) => JSON.stringify(call.input) === wanted) ?? calls.at(-1);
  }

  /** The taskIds of commands that go on when the turn ends. */
  get background(): string[] {
    return [...this.#background.keys()];
  }

  started(item: Wire, threadId: string, parent: string | undefined): AgentEvent[] {
    const callId = text(item["id"]);
    const call = itemCall(item, this.#cwd);
    if (callId === undefined || call === undefined || this.#told.has(callId)) return [];
    return this.#start({ callId, threadId, parent, call, item });
  }

  /** A call that has no item but asks us something. */
  asked(callId: string, threadId: string, parent: string | undefined, named: NamedCall): AgentEvent[] {
    if (this.#told.has(callId)) return [];
    return this.#start({ callId, threadId, parent, call: namedCall(named, this.#cwd), item: {} });
  }

  progressed(callId: unknown, output: unknown): AgentEvent[] {
    const open = this.#open.get(text(callId) ?? "");
    if (open === undefined || typeof output !== "string" || output === "") return [];
    return [{ type: "tool.progress", callId: open.callId, output, parent: open.parent }];
  }

  completed(item: Wire, threadId: string, parent: string | undefined): AgentEvent[] {
    const callId = text(item["id"]);
    if (callId === undefined) return [];
    if (this.#background.has(callId)) return this.#backgroundEnded(callId, item);
    const before = this.started(item, threadId, parent);
    const open = this.#open.get(callId);
    if (open === undefined) return before;
    const events = [...before, ...this.#end(open, itemOutcome(item))];
    if (item["type"] === "fileChange" && item["status"] === "completed")
      events.push(...filesChanged(item, callId, open.parent, this.#cwd));
    return events;
  }

  /** An item of the model's wire. */
  raw(item: Wire, threadId: string, parent: string | undefined): AgentEvent[] {
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

  /** What is left open in a turn that ended by itself goes on; the core closes the rest. */
  turnEnded(threadId: string, goesOn: boolean): AgentEvent[] {
    const events: AgentEvent[] = [];
    for (const open of [...this.#open.values()].filter((one) => one.threadId === threadId)) {
      this.#open.delete(open.callId);
      if (goesOn && open.item["type"] === "commandExecution") events.push(...this.#goesOn(open));
    }
    this.#wanted.clear();
    return events;
  }

  /** They were ended. */
  backgroundStopped(): AgentEvent[] {
    const stopped = [...this.#background].map(([callId, parent]): AgentEvent => ({
      type: "task.updated",
      taskId: callId,
      callId,
      status: "stopped",
      parent,
    }));
    this.#background.clear();
    return stopped;
  }

  #start(open: OpenCall): AgentEvent[] {
    const { callId, parent, call } = open;
    this.#open.set(callId, open);
    this.#told.add(callId);
    this.#wanted.delete(callId);
    const { tool, nativeName, kind, title, input, locations } = call;
    return [{ type: "tool.started", callId, tool, nativeName, kind, title, input, locations, parent }];
  }

  #end({ callId, parent }: OpenCall, { output, failed, exitCode, durationMs }: Outcome): AgentEvent[] {
    this.#open.delete(callId);
    return failed === undefined
      ? [{ type: "tool.completed", callId, output, exitCode, durationMs, parent }]
      : [{ type: "tool.failed", callId, ...failed, parent }];
  }

  #answered(callId: string, output: unknown, threadId: string, parent: string | undefined): AgentEvent[] {
    const wanted = this.#wanted.get(callId);
    const open = this.#open.get(callId);
    // An item tells its own end.
    if (open !== undefined) return open.item["type"] === undefined ? this.#end(open, toldOutcome("", output)) : [];
    if (wanted === undefined) return [];
    const started = this.asked(callId, threadId, parent, wanted);
    return [...started, ...this.#end(this.#open.get(callId)!, toldOutcome(wanted.name, output))];
  }

  #goesOn({ callId, parent, call }: OpenCall): AgentEvent[] {
    this.#background.set(callId, parent);
    const said = "It runs in the background.";
    const output = { text: said, bytes: said.length, kept: said.length };
    return [
      { type: "task.started", taskId: callId, callId, kind: "shell", title: call.title, status: "running", parent },
      { type: "tool.completed", callId, output, parent },
    ];
  }

  #backgroundEnded(callId: string, item: Wire): AgentEvent[] {
    const parent = this.#background.get(callId);
    this.#background.delete(callId);
    const { failed, output } = itemOutcome(item);
    const status = failed === undefined ? "completed" : "failed";
    return [{ type: "task.updated", taskId: callId, callId, status, summary: text(output.text.trim()), parent }];
  }
}

function calledIn(item: Wire): NamedCall {
  const given = item["arguments"] ?? item["input"];
  return { name: text(item["name"]) ?? "unknown", namespace: text(item["namespace"]), input: parsed(given) };
}

function parsed(given: unknown): unknown {
  if (typeof given !== "string") return given;
  try {
    return record(JSON.parse(given));
  } catch {
    return given;
  }
}
