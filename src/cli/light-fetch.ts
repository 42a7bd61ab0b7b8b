/** As much of `fetch` as the client needs, over `node:http`: loading the whole of it takes longer than a short command does. */
import type { Agent, ClientRequest, IncomingMessage, RequestOptions } from "node:http";
import type { AnswerLike, FetchLike } from "../client/index.ts";

// An import would ask for all it has, also for its WebSocket, and load just what is to be left out.
const http = process.getBuiltinModule("node:http");

/**
 * Ends with the process: what waits in it keeps nobody. Only with a limit of its own does it heed the server's, and let a connection go that
 * is about to be closed there: what is sent into one that was closed is lost, and who leaves does not hear of it.
 */
const connections: Agent = new http.Agent({ keepAlive: true, timeout: 60_000 });

export const lightFetch: FetchLike = async (url, init = { method: "GET", headers: {} }) => {
  const { method, headers, body, leaving } = init;
  const length = body === undefined ? {} : { "content-length": String(Buffer.byteLength(body)) };
  const options = { method, headers: { ...headers, ...length } };
  if (leaving === true) {
    await sent(url, options, body);
    return answer(200, Buffer.from("{}"));
  }
  const incoming = await answered(url, options, body);
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  return answer(incoming.statusCode ?? 0, Buffer.concat(chunks));
};

/** Of which the body is still to be read. */
export function answered(url: string, options: RequestOptions, body?: string): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    asked(url, options, body).on("response", resolve).on("error", reject);
  });
}

/** Until the system has it: it arrives then, also when this process is gone. */
function sent(url: string, options: RequestOptions, body?: string): Promise<void> {
  return new Promise((resolve, reject) => {
    asked(url, options, body)
      .on("finish", resolve)
      .on("response", (incoming) => incoming.resume())
      .on("error", reject);
  });
}

function asked(url: string, options: RequestOptions, body: string | undefined): ClientRequest {
  const request = http.request(url, { agent: connections, ...options });
  request.end(body);
  return request;
}

function answer(status: number, bytes: Buffer): AnswerLike {
  const text = (): string => bytes.toString("utf8");
  return {
    ok: status >= 200 && status < 300,
    status,
    text: async () => text(),
    json: async () => JSON.parse(text()) as unknown,
    arrayBuffer: async () => new Uint8Array(bytes).buffer,
  };
}
