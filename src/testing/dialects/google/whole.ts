import type { ServerResponse } from "node:http";
import type { AnswerSettings, AnswerWriter, ModelRequest } from "../dialect.ts";
import { sendJson } from "../http.ts";
import { newId } from "../ids.ts";
import { callPart, candidate, finishReasons, usageOf, type Part } from "./shapes.ts";

/** Collects the answer and sends it in one piece. */
export function wholeAnswer(response: ServerResponse, request: ModelRequest, settings: AnswerSettings): AnswerWriter {
  let said = "";
  let thought = "";
  const calls: Part[] = [];
  return {
    text: async (piece) => {
      said += piece;
    },
    think: async (piece) => {
      thought += piece;
    },
    call: async (call) => {
      calls.push(callPart(call));
    },
    midError: () => Promise.resolve(false),
    finish: async (stop) => {
      const parts: Part[] = [
        ...(thought === "" ? [] : [{ text: thought, thought: true } as const]),
        ...(said === "" && calls.length > 0 ? [] : [{ text: said }]),
        ...calls,
      ];
      const candidates = [candidate(parts, finishReasons[stop])];
      const usageMetadata = usageOf(settings.usage);
      const answer = { candidates, usageMetadata, modelVersion: request.model, responseId: newId("") };
      sendJson(response, 200, answer, settings.headers);
    },
  };
}
