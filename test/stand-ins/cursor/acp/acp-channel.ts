/** A turn over ACP: reports to a client and asks it for permission. */
import { fieldsOf, listOf, textOf, type Fields, type ModelError, type ToolResult } from "../../agent-loop/index.ts";
import type { Channel, UseOutcome, Use } from "../channel.ts";
import { allowForGood } from "../config.ts";
import { complain } from "../output.ts";
import { questionArgs } from "../print/tool-args.ts";
import { rulesFrom, wantedBy } from "../permissions.ts";
import type { Traps } from "../traps.ts";
import type { Rpc } from "./rpc.ts";
import { askedLook, endOf, lookOf, mcpInput } from "./tool-call.ts";

const options = [
  { optionId: "allow-once", name: "Allow once", kind: "allow_once" },
  { optionId: "allow-always", name: "Allow always", kind: "allow_always" },
  { optionId: "reject-once", name: "Reject", kind: "reject_once" },
];

const skipped = "Questions skipped by the user, continue with the information you already have";

export interface AcpChannelOptions {
  readonly rpc: Rpc;
  readonly traps: Traps;
  readonly session: string;
  readonly cwd: string;
  readonly model: () => string;
}

export class AcpChannel implements Channel {
  readonly #o: AcpChannelOptions;
  #asked = 0;

  constructor(options: AcpChannelOptions) {
    this.#o = options;
  }

  update(sessionUpdate: string, fields: object): void {
    this.#o.rpc.notify("session/update", { sessionId: this.#o.session, update: { sessionUpdate, ...fields } });
  }

  thought(text: string): void {
    this.update("agent_thought_chunk", { content: { type: "text", text } });
  }

  thoughtEnded(): void {}

  text(text: string): void {
    this.update("agent_message_chunk", { content: { type: "text", text } });
  }

  textEnded(): void {}

  started(use: Use): void {
    this.update("tool_call", { toolCallId: use.id, ...lookOf(use), status: "pending" });
    if (use.call.name === "call_mcp_tool") this.#change(use, { rawInput: mcpInput(use) });
  }

  running(use: Use): void {
    this.#change(use, { status: "in_progress" });
  }

  async finished(use: Use, outcome: UseOutcome): Promise<void> {
    this.#change(use, { status: "completed", ...endOf(use, outcome) });
    if (outcome.kind === "done" && outcome.result.ok) await this.#report(use, outcome.result);
  }

  async approves(use: Use): Promise<boolean> {
    const wanted = wantedBy(use.call, this.#o.cwd);
    const first = wanted?.what[0] ?? "";
    const why = wanted?.kind === "Shell" ? `Not in allowlist: ${first.split(" ")[0]}` : `Not in allowlist: ${first}`;
    const content = [{ type: "content", content: { type: "text", text: why } }];
    const toolCall = { ...askedLook(use, this.#asked++), status: "pending", content };
    const answer = await this.#o.rpc.request("session/request_permission", {
      sessionId: this.#o.session,
      toolCall,
      options,
    });
    const { outcome, optionId } = fieldsOf(answer["outcome"]);
    if (outcome !== "selected") return false;
    // Permanent, in the person's own settings.
    if (optionId === "allow-always" && wanted !== undefined) allowForGood(rulesFrom(wanted));
    return optionId === "allow-once" || optionId === "allow-always";
  }

  async question(use: Use): Promise<UseOutcome> {
    const { title, questions } = questionArgs(use.call.input);
    const answer = await this.#extension("ask_question", { toolCallId: use.id, title, questions });
    this.#change(use, { status: "completed" });
    const { outcome, answers, reason } = fieldsOf(answer["outcome"]);
    const chosen = listOf(answers).flatMap((one) => listOf(fieldsOf(one)["selectedOptionIds"]).map(String));
    const text = outcome === "answered" ? chosen.join(", ") : textOf(reason) || skipped;
    return { kind: "done", result: { ok: true, text } };
  }

  async plan(use: Use): Promise<UseOutcome> {
    const plan = textOf(use.call.input["plan"]);
    const told = { toolCallId: use.id, name: "Plan", overview: "", plan, todos: [], isProject: false, phases: [] };
    const answer = await this.#extension("create_plan", told);
    const { outcome, reason } = fieldsOf(answer["outcome"]);
    // The real program took an empty answer as approval.
    const accepted = outcome === "accepted" || outcome === undefined;
    this.#change(use, { status: "completed" });
    return accepted
      ? { kind: "done", result: { ok: true, text: "The plan was accepted." } }
      : { kind: "rejected", reason: textOf(reason) };
  }

  retrying(attempt: number, error: ModelError): void {
    complain(`Connection lost (${error.message}), reconnecting (attempt ${attempt})...`);
  }

  notified(): void {}

  /** Sends its own notifications to the client after the call. */
  async #report({ id: toolCallId, call, startedAt }: Use, { facts = {} }: ToolResult): Promise<void> {
    const { name, input } = call;
    const durationMs = Date.now() - startedAt;
    if (name === "todo_write") {
      const todos = listOf(input["todos"]).map((todo, index) => {
        const { id, content, status } = fieldsOf(todo);
        return { id: textOf(id) || String(index + 1), content, status: textOf(status) || "pending" };
      });
      await this.#tell("update_todos", { toolCallId, todos, merge: input["merge"] === true });
    } else if (name === "task") {
      const { description, prompt } = input;
      const who = { subagentType: "unspecified", model: this.#o.model(), agentId: facts["agentId"] };
      await this.#tell("task", { toolCallId, description, prompt, ...who, durationMs });
    } else if (name === "generate_image") {
      await this.#tell("generate_image", { toolCallId, description: input["description"], filePath: facts["path"] });
    }
  }

  /** Some versions wait for an answer; an error counts as one. */
  async #tell(name: string, params: Fields): Promise<void> {
    if (this.#o.traps.extensionRequests) await this.#extension(name, params).catch(() => undefined);
    else this.#o.rpc.notify(this.#method(name), params);
  }

  #extension(name: string, params: Fields): Promise<Fields> {
    return this.#o.rpc.request(this.#method(name), params);
  }

  #method(name: string): string {
    return `${this.#o.traps.underscore ? "_" : ""}cursor/${name}`;
  }

  #change(use: Use, fields: object): void {
    this.update("tool_call_update", { toolCallId: use.id, ...fields });
  }
}
