import type { ServerResponse } from "node:http";
import type { AnswerSettings, AnswerWriter, ModelRequest } from "../dialect.ts";
import { beginEvents, write } from "../http.ts";
import { newId } from "../ids.ts";
import { streamError } from "../openai/errors.ts";
import { callItem, endings, messageItem, newResponse, reasoningItem, usageOf, type OutputItem } from "./shapes.ts";

interface Block {
  readonly kind: "message" | "reasoning";
  readonly id: string;
  text: string;
}

export function streamedAnswer(
  response: ServerResponse,
  request: ModelRequest,
  settings: AnswerSettings,
): AnswerWriter {
  const whole = newResponse(request.model);
  const output: OutputItem[] = [];
  let begun = false;
  let sequence = 0;
  let open: Block | undefined;

  const send = (type: string, data: object): Promise<void> =>
    write(response, `event: ${type}\ndata: ${JSON.stringify({ type, sequence_number: sequence++, ...data })}\n\n`);
  /** Where in the answer a delta belongs. */
  const at = (id: string) => ({ item_id: id, output_index: output.length });

  async function begin(): Promise<void> {
    if (begun) return;
    begun = true;
    beginEvents(response, { "x-request-id": newId("req_"), ...settings.headers });
    await send("response.created", { response: whole });
    await send("response.in_progress", { response: whole });
  }

  const added = (item: object) => send("response.output_item.added", { output_index: output.length, item });

  async function done(item: OutputItem): Promise<void> {
    await send("response.output_item.done", { output_index: output.length, item });
    output.push(item);
  }

  // An item stays open until something else begins, so that a cut or an error hits it in its middle.
  async function openItem(kind: Block["kind"]): Promise<Block> {
    await begin();
    if (open?.kind === kind) return open;
    await closeItem();
    open = { kind, id: newId(kind === "message" ? "msg_" : "rs_"), text: "" };
    const { id } = open;
    if (kind === "message") {
      await added({ ...messageItem(id, ""), status: "in_progress", content: [] });
      const part = { type: "output_text", text: "", annotations: [], logprobs: [] };
      await send("response.content_part.added", { ...at(id), content_index: 0, part });
    } else {
      await added({ ...reasoningItem(id, ""), summary: [] });
      const part = { type: "summary_text", text: "" };
      await send("response.reasoning_summary_part.added", { ...at(id), summary_index: 0, part });
    }
    return open;
  }

  async function closeItem(): Promise<void> {
    if (open === undefined) return;
    const { kind, id, text } = open;
    open = undefined;
    if (kind === "message") {
      const part = { type: "output_text", text, annotations: [], logprobs: [] };
      await send("response.output_text.done", { ...at(id), content_index: 0, text, logprobs: [] });
      await send("response.content_part.done", { ...at(id), content_index: 0, part });
      await done(messageItem(id, text));
    } else {
      const part = { type: "summary_text", text };
      await send("response.reasoning_summary_text.done", { ...at(id), summary_index: 0, text });
      await send("response.reasoning_summary_part.done", { ...at(id), summary_index: 0, part });
      await done(reasoningItem(id, text));
    }
  }

  async function end(ending: Readonly<Record<string, unknown>> & { status: string }): Promise<void> {
    await send(`response.${ending.status}`, { response: { ...whole, output, ...ending } });
    response.end();
  }

  return {
    async text(piece) {
      const item = await openItem("message");
      item.text += piece;
      await send("response.output_text.delta", { ...at(item.id), content_index: 0, delta: piece, logprobs: [] });
    },
    async think(piece) {
      const item = await openItem("reasoning");
      item.text += piece;
      await send("response.reasoning_summary_text.delta", { ...at(item.id), summary_index: 0, delta: piece });
    },
    async call(call, pieces) {
      await begin();
      await closeItem();
      const item = callItem(call, pieces.join(""));
      const field = typeof call.input === "string" ? "input" : "arguments";
      const type =
        typeof call.input === "string" ? "response.custom_tool_call_input" : "response.function_call_arguments";
      await added({ ...item, status: "in_progress", [field]: "" });
      for (const piece of pieces) await send(`${type}.delta`, { ...at(item.id), delta: piece });
      await send(`${type}.done`, { ...at(item.id), [field]: pieces.join("") });
      await done(item);
    },
    async midError(type, message) {
      await begin();
      await end({ status: "failed", error: streamError(type, message) });
      return true;
    },
    async finish(stop) {
      await begin();
      await closeItem();
      await end({ usage: usageOf(settings.usage), ...endings[stop] });
    },
  };
}
