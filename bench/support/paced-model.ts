/**
 * A model on loopback that speaks the wire protocols of the scripted model (`src/testing`) and follows its prompt: "history <n>" is
 * answered with that many parts of Markdown at once, "stream <n> <per second>" with that many pieces at that pace. Prints its address.
 */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { isRecord, parseJson } from "../../src/protocols/json.ts";
import { beginAnswer, sendJson, type Dialect, type ModelRequest } from "../../src/testing/dialects/dialect.ts";
import { dialects } from "../../src/testing/dialects/index.ts";
import { paced } from "./paced.mjs";
import { markdownPart, streamedText } from "./streamed-text.mjs";

const usage = { input: 100, output: 20, cacheRead: 0, cacheWrite: 0, thought: 0 };

const server = createServer((incoming, response) => void respond(incoming, response));

async function respond(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
  const { method = "GET", url = "/", headers } = incoming;
  const call = { method, path: new URL(url, "http://model").pathname, headers };
  const raw = await text(incoming);
  const body: unknown = parseJson(raw, undefined);
  for (const dialect of dialects) {
    const route = dialect.route(call);
    if (route === undefined) continue;
    if (route.kind === "answer") return answer(dialect, route.read(isRecord(body) ? body : {}), response);
    return sendJson(response, route.status ?? 200, route.reply(raw.length));
  }
  sendJson(response, 404, {});
}

async function answer(dialect: Dialect, request: ModelRequest, response: ServerResponse): Promise<void> {
  const writer = beginAnswer(dialect, response, request, { headers: {}, usage });
  const said = request.items.flatMap((item) => (item.from === "user" ? [item.text] : []));
  const isAside = request.side !== undefined || request.instructions.includes("title");
  const newest = said.flatMap((words) => [...words.matchAll(/(history|stream) (\d+)(?: (\d+))?/g)]).at(-1);
  const [, word, count, perSecond] = isAside ? [] : (newest ?? []);
  if (word === "history") {
    const parts = Array.from({ length: Number(count) }, (_, at) => markdownPart(at));
    for (const part of parts) await writer.text(part);
  } else if (word === "stream") {
    let at = 0;
    for await (const due of paced(Number(count), Number(perSecond), 4)) {
      if (response.destroyed) return;
      for (let piece = 0; piece < due; piece++) await writer.text(streamedText(at++));
    }
  } else await writer.text("ok");
  await writer.finish("end");
}

server.listen(0, "127.0.0.1", () => {
  console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
