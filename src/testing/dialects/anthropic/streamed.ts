import type { ServerResponse } from "node:http";
import type { AnswerSettings, AnswerWriter, ModelRequest } from "../dialect.ts";
import { beginEvents, write } from "../http.ts";
import { newId } from "../ids.ts";
import { signature, stopReasons, usageOf } from "./shapes.ts";

export function streamedAnswer(
  response: ServerResponse,
  request: ModelRequest,
  settings: AnswerSettings,
): AnswerWriter {
  let begun = false;
  let open: "text" | "thinking" | undefined;
  let index = 0;

  const send = (type: string, data: object): Promise<void> =>
    write(response, `event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`);
  const delta = (fields: object) => send("content_block_delta", { index, delta: fields });

  async function begin(): Promise<void> {
    if (begun) return;
    begun = true;
    beginEvents(response, { "request-id": newId("req_"), ...settings.headers });
    const usage = { ...usageOf(settings.usage, 1), service_tier: "standard" };
    const empty = { content: [], stop_reason: null, stop_sequence: null, usage };
    const message = { id: newId("msg_"), type: "message", role: "assistant", model: request.model, ...empty };
    await send("message_start", { message });
    await send("ping", {});
  }

  // A block stays open until something else begins, so that a cut or an error hits it in its middle.
  async function closeBlock(): Promise<void> {
    if (open === undefined) return;
    if (open === "thinking") await delta({ type: "signature_delta", signature });
    await send("content_block_stop", { index });
    index++;
    open = undefined;
  }

  async function openBlock(kind: "text" | "thinking"): Promise<void> {
    await begin();
    if (open === kind) return;
    await closeBlock();
    open = kind;
    const block = kind === "text" ? { type: "text", text: "" } : { type: "thinking", thinking: "", signature: "" };
    await send("content_block_start", { index, content_block: block });
  }

  return {
    async text(piece) {
      await openBlock("text");
      await delta({ type: "text_delta", text: piece });
    },
    async think(piece) {
      await openBlock("thinking");
      await delta({ type: "thinking_delta", thinking: piece });
    },
    async call({ name }, pieces) {
      await begin();
      await closeBlock();
      await send("content_block_start", {
        index,
        content_block: { type: "tool_use", id: newId("toolu_"), name, input: {} },
      });
      for (const piece of pieces) await delta({ type: "input_json_delta", partial_json: piece });
      await send("content_block_stop", { index });
      index++;
    },
    async midError(type = "overloaded_error", message = "Overloaded") {
      await begin();
      await send("error", { error: { type, message } });
      response.end();
      return true;
    },
    async finish(stop) {
      await begin();
      await closeBlock();
      const usage = usageOf(settings.usage, settings.usage.output);
      await send("message_delta", { delta: { stop_reason: stopReasons[stop], stop_sequence: null }, usage });
      await send("message_stop", {});
      response.end();
    },
  };
}
