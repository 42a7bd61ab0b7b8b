import type { ServerResponse } from "node:http";
import type { AnswerSettings, AnswerWriter, ModelRequest } from "../dialect.ts";
import { beginEvents, write } from "../http.ts";
import { newId } from "../ids.ts";
import { streamError } from "../openai/errors.ts";
import { finishReasons, newAnswer, toolCall, usageOf } from "./shapes.ts";

export function streamedAnswer(
  response: ServerResponse,
  request: ModelRequest,
  settings: AnswerSettings,
): AnswerWriter {
  const head = newAnswer("chat.completion.chunk", request.model);
  let begun = false;
  let calls = 0;

  const send = (data: object): Promise<void> => write(response, `data: ${JSON.stringify(data)}\n\n`);
  const chunk = (delta: object, reason: string | null = null): Promise<void> =>
    send({ ...head, choices: [{ index: 0, delta, finish_reason: reason }] });

  async function begin(): Promise<void> {
    if (begun) return;
    begun = true;
    beginEvents(response, { "x-request-id": newId("req_"), ...settings.headers });
    await chunk({ role: "assistant", content: "" });
  }

  return {
    async text(piece) {
      await begin();
      await chunk({ content: piece });
    },
    async think(piece) {
      await begin();
      await chunk({ reasoning_content: piece });
    },
    async call({ name }, pieces) {
      await begin();
      const index = calls++;
      await chunk({ tool_calls: [{ index, ...toolCall(name, "") }] });
      for (const piece of pieces) await chunk({ tool_calls: [{ index, function: { arguments: piece } }] });
    },
    async midError(type, message) {
      await begin();
      await send({ error: { ...streamError(type, message), type: "server_error", param: null } });
      response.end();
      return true;
    },
    async finish(stop) {
      await begin();
      await chunk({}, finishReasons[stop]);
      if (request.silentUsage !== true) await send({ ...head, choices: [], usage: usageOf(settings.usage) });
      await write(response, "data: [DONE]\n\n");
      response.end();
    },
  };
}
