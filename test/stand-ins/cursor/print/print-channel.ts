/** A turn in print mode: nobody can be asked, so a call without an earlier permission is rejected at once. */
import { fieldsOf, type Fields, type ModelError } from "../../agent-loop/index.ts";
import type { Channel, UseOutcome, Use } from "../channel.ts";
import { complain } from "../output.ts";
import type { Traps } from "../traps.ts";
import type { Stream } from "./stream.ts";
import { argsOf, keyOf, questionArgs } from "./tool-args.ts";
import { resultOf } from "./tool-result.ts";

export interface PrintOptions {
  readonly stream: Stream;
  readonly traps: Traps;
  readonly cwd: string;
  readonly partial: boolean;
  readonly force: boolean;
  readonly endpoint: string;
}

const skipped = "Questions skipped by the user, continue with the information you already have";

export class PrintChannel implements Channel {
  readonly #o: PrintOptions;
  #queries = 0;
  /** Calls whose start was not printed: searches are printed only when they may run, and questions after they were asked. */
  readonly #untold = new Set<string>();

  constructor(options: PrintOptions) {
    this.#o = options;
  }

  thought(text: string): void {
    this.#o.stream.event("thinking", "delta", { text });
  }

  thoughtEnded(): void {
    this.#o.stream.event("thinking", "completed", {});
  }

  text(piece: string): void {
    if (this.#o.partial) this.#o.stream.said(piece, undefined, true);
  }

  /** Prints the whole text, after deltas or without them: with both ids before a tool, and with neither at the end. */
  textEnded(text: string, modelCallId: string, last: boolean): void {
    if (this.#o.traps.oldShape) this.#o.stream.said(text, undefined, false);
    else this.#o.stream.said(text, last ? undefined : modelCallId, !last);
  }

  started(use: Use): void {
    const { name } = use.call;
    if (name === "ask_question" || (name === "web_search" && !this.#o.force)) this.#untold.add(use.id);
    else this.#call("started", use, { args: argsOf(use, this.#o.cwd) });
  }

  running(use: Use): void {
    if (this.#untold.delete(use.id)) this.#call("started", use, { args: argsOf(use, this.#o.cwd) });
  }

  finished(use: Use, outcome: UseOutcome): void {
    const args = argsOf(use, this.#o.cwd);
    // A rejected call is printed without its input.
    const result = swollen(resultOf(use, outcome, this.#o.cwd), this.#o.traps.readMillions);
    this.#call("completed", use, outcome.kind === "rejected" ? { result } : { args, result });
  }

  async approves(use: Use): Promise<boolean> {
    const web = { web_fetch: "webFetch", web_search: "webSearch" }[use.call.name];
    if (web === undefined || use.nested) return this.#o.force;
    const args = argsOf(use, this.#o.cwd);
    const answer = this.#o.force ? { approved: {} } : { rejected: { reason: "User Rejected" } };
    this.#query(`${web}Request`, { args, skipApproval: this.#o.force }, "Response", answer);
    return this.#o.force;
  }

  async question(use: Use): Promise<UseOutcome> {
    const args = questionArgs(use.call.input);
    const result = { rejected: { reason: skipped } };
    this.#query("askQuestionInteraction", { args, toolCallId: use.id }, "Response", { result });
    this.running(use);
    this.#call("completed", use, { args, result });
    return { kind: "done", result: { ok: true, text: skipped } };
  }

  async plan(use: Use): Promise<UseOutcome> {
    const args = argsOf(use, this.#o.cwd);
    const result = { success: {} };
    this.#query("createPlanRequest", { args, toolCallId: use.id }, "Response", { result, planUri: "" });
    this.#call("completed", use, { args, result });
    return { kind: "done", result: { ok: true, text: "The plan was accepted." } };
  }

  retrying(attempt: number, _error: ModelError): void {
    const { stream, endpoint } = this.#o;
    complain(`Connection lost, reconnecting to ${endpoint} (attempt ${attempt})...`);
    stream.event("connection", "reconnecting", { attempt, endpoint_url: endpoint });
    complain(`Retry attempt ${attempt}...`);
    stream.event("retry", "starting", { attempt, is_resume: false });
    stream.event("connection", "reconnected", {});
  }

  notified(id: string, words: string): void {
    this.#o.stream.event("system", "task_notification", { task_id: id, status: "completed", summary: words });
  }

  #query(name: string, query: Fields, answered: string, answer: Fields): void {
    const id = this.#queries++;
    const query_type = `${name}Query`;
    const { stream } = this.#o;
    stream.event("interaction_query", "request", { query_type, query: { id, [query_type]: query } });
    const response = { id, [`${name}${answered}`]: answer };
    stream.event("interaction_query", "response", { query_type, response });
  }

  #call(subtype: "started" | "completed", use: Use, inside: Fields): void {
    const { stream, traps } = this.#o;
    const key = keyOf(use.call.name);
    if (traps.oldShape) return stream.event("tool_call", subtype, { tool: key.replace(/ToolCall$/, ""), ...inside });
    const ends = subtype === "completed" ? { completedAtMs: String(Date.now()) } : {};
    const times = { startedAtMs: String(use.startedAt), ...ends };
    const tool_call = { [key]: inside, hookAdditionalContexts: [], toolCallId: use.id, ...times };
    stream.event("tool_call", subtype, { call_id: use.id, tool_call, model_call_id: use.modelCallId });
  }
}

/** Enlarges a read result to this many million characters; the model receives the real content. */
function swollen(result: Fields, millions: number): Fields {
  const success = fieldsOf(result["success"]);
  if (millions === 0 || typeof success["content"] !== "string") return result;
  return { success: { ...success, content: "0123456789".repeat(millions * 100_000) } };
}
