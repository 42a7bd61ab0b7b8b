import type { ServerResponse } from "node:http";
import type { AnswerSettings, AnswerWriter, ModelRequest } from "../dialect.ts";
import { sendJson } from "../http.ts";
import { newId } from "../ids.ts";
import { finishReasons, newAnswer, toolCall, usageOf } from "./shapes.ts";

/** Collects the answer and sends it in one piece. */
export function wholeAnswer(response: ServerResponse, request: ModelRequest, settings: AnswerSettings): AnswerWriter {
  let said = "";
  let thought = "";
  const calls: object[] = [];
  return {
    text: async (piece) => {
      said += piece;
    },
    think: async (piece) => {
      thought += piece;
    },
    call: async ({ name }, pieces) => {
      calls.push(toolCall(name, pieces.join("")));
    },
    midError: () => Promise.resolve(false),
    finish: async (stop) => {
      const message = {
        role: "assistant",
        content: said === "" && calls.length > 0 ? null : said,
        ...(thought === "" ? {} : { reasoning_content: thought }),
        ...(calls.length === 0 ? {} : { tool_calls: calls }),
        refusal: null,
      };
      const choices = [{ index: 0, message, finish_reason: finishReasons[stop] }];
      const answer = { ...newAnswer("chat.completion", request.model), choices, usage: usageOf(settings.usage) };
      sendJson(response, 200, answer, { "x-request-id": newId("req_"), ...settings.headers });
    },
  };
}
