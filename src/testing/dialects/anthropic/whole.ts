import type { ServerResponse } from "node:http";
import type { AnswerSettings, AnswerWriter, ModelRequest } from "../dialect.ts";
import { sendJson } from "../http.ts";
import { newId } from "../ids.ts";
import { signature, stopReasons, usageOf } from "./shapes.ts";

type Block =
  | { type: "text"; text: string }
  | { type: "thinking"; thinking: string; signature: string }
  | { type: "tool_use"; id: string; name: string; input: unknown };

/** Collects the answer and sends it in one piece. */
export function wholeAnswer(response: ServerResponse, request: ModelRequest, settings: AnswerSettings): AnswerWriter {
  const content: Block[] = [];
  return {
    text: async (piece) => {
      const last = content.at(-1);
      if (last?.type === "text") last.text += piece;
      else content.push({ type: "text", text: piece });
    },
    think: async (piece) => {
      const last = content.at(-1);
      if (last?.type === "thinking") last.thinking += piece;
      else content.push({ type: "thinking", thinking: piece, signature });
    },
    call: async ({ name, input }) => {
      content.push({ type: "tool_use", id: newId("toolu_"), name, input });
    },
    midError: () => Promise.resolve(false),
    finish: async (stop) => {
      const head = { id: newId("msg_"), type: "message", role: "assistant", model: request.model };
      const tail = { stop_reason: stopReasons[stop], stop_sequence: null };
      const usage = usageOf(settings.usage, settings.usage.output);
      sendJson(
        response,
        200,
        { ...head, content, ...tail, usage },
        { "request-id": newId("req_"), ...settings.headers },
      );
    },
  };
}
