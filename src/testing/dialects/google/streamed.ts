import type { ServerResponse } from "node:http";
import { setImmediate as nextRound } from "node:timers/promises";
import type { AnswerSettings, AnswerWriter, ModelRequest } from "../dialect.ts";
import { beginEvents, write } from "../http.ts";
import { newId } from "../ids.ts";
import { error } from "./errors.ts";
import { callPart, candidate, finishReasons, usageOf, type Part } from "./shapes.ts";

export function streamedAnswer(
  response: ServerResponse,
  request: ModelRequest,
  settings: AnswerSettings,
): AnswerWriter {
  const usageMetadata = usageOf(settings.usage);
  const tail = { usageMetadata, modelVersion: request.model, responseId: newId("") };

  function send(data: object): Promise<void> {
    if (!response.headersSent) beginEvents(response, settings.headers);
    return write(response, `data: ${escaped(JSON.stringify(data))}\r\n\r\n`);
  }
  const chunk = (part: Part, finishReason?: string): Promise<void> =>
    send({ candidates: [candidate([part], finishReason)], ...tail });

  return {
    text: (piece) => chunk({ text: piece }),
    think: (piece) => chunk({ text: piece, thought: true }),
    call: (call) => chunk(callPart(call)),
    async midError(type, message) {
      if (!response.headersSent) beginEvents(response, settings.headers);
      // Not an event: Google's own library looks for bare JSON in a piece of its own.
      await nextRound();
      await write(response, JSON.stringify(error({ status: 503, type, message }).body));
      response.end();
      return true;
    },
    async finish(stop) {
      await chunk({ text: "" }, finishReasons[stop]);
      response.end();
    },
  };
}

/** As Google's own service does: its library takes these for the end of a line. */
function escaped(json: string): string {
  return json.replaceAll("\u2028", "\\u2028").replaceAll("\u2029", "\\u2029");
}
