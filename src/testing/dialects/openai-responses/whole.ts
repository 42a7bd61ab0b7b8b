import type { ServerResponse } from "node:http";
import type { AnswerSettings, AnswerWriter, ModelRequest } from "../dialect.ts";
import { sendJson } from "../http.ts";
import { newId } from "../ids.ts";
import { callItem, endings, messageItem, newResponse, reasoningItem, usageOf, type OutputItem } from "./shapes.ts";

type Part = { kind: "message" | "reasoning"; text: string } | { kind: "call"; item: OutputItem };

/** Collects the answer and sends it in one piece. */
export function wholeAnswer(response: ServerResponse, request: ModelRequest, settings: AnswerSettings): AnswerWriter {
  const parts: Part[] = [];
  const add = (kind: "message" | "reasoning") => async (piece: string) => {
    const last = parts.at(-1);
    if (last?.kind === kind) last.text += piece;
    else parts.push({ kind, text: piece });
  };
  return {
    text: add("message"),
    think: add("reasoning"),
    call: async (call, pieces) => {
      parts.push({ kind: "call", item: callItem(call, pieces.join("")) });
    },
    midError: () => Promise.resolve(false),
    finish: async (stop) => {
      const answer = { ...newResponse(request.model), output: parts.map(itemOf), usage: usageOf(settings.usage) };
      sendJson(response, 200, { ...answer, ...endings[stop] }, { "x-request-id": newId("req_"), ...settings.headers });
    },
  };
}

function itemOf(part: Part): OutputItem {
  if (part.kind === "call") return part.item;
  return part.kind === "message" ? messageItem(newId("msg_"), part.text) : reasoningItem(newId("rs_"), part.text);
}
