/** The terminals of a server, on this machine or on another one. */
import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { errorOf, Http } from "../../client/http.ts";
import { ReinsError } from "../../events/errors.ts";
import { parseJson } from "../../protocols/json.ts";
import { longestFrameBytes } from "../../protocols/pty/frames.ts";
import { findServer } from "../../server/server-file.ts";
import type { TerminalBody, TerminalInfo } from "../../server/schemas/terminals.ts";

/** Stands for the server that runs on this machine. */
const here = "here";
const tokenVariable = "REINS_TOKEN";

export class TerminalServer {
  readonly #url: string;
  readonly #token: string;
  readonly #http: Http;

  private constructor(url: string, token: string) {
    this.#url = url;
    this.#token = token;
    this.#http = new Http({ url, token, patienceMs: 0, fetch: (...args) => fetch(...args) });
  }

  /**
   * `address` is `here` or the address of a server. Its token is in REINS_TOKEN: an argument would be visible to every user of the
   * machine.
   */
  static async find(address: string, env: Readonly<Record<string, string | undefined>>): Promise<TerminalServer> {
    if (address === here) {
      const found = await findServer(env);
      if (found !== undefined) return new TerminalServer(found.url, found.token);
      throw new ReinsError("network", "No server runs on this machine.", { help: "Start one with `reins serve`." });
    }
    const url = serverAddress(address);
    const token = env[tokenVariable] ?? "";
    if (token !== "") return new TerminalServer(url, token);
    throw new ReinsError("not_authenticated", `The server at ${url} needs a token.`, {
      help: `Put one with the scope admin into the variable ${tokenVariable}.`,
    });
  }

  list(): Promise<readonly TerminalInfo[]> {
    return this.#http.field("terminals", "/api/terminals");
  }

  create(body: TerminalBody): Promise<TerminalInfo> {
    return this.#http.post("/api/terminals", body);
  }

  /** Connects to the holder through the server. */
  async connect(id: string): Promise<Duplex> {
    const { createWebSocketStream, WebSocket } = await import("ws");
    const socket = new WebSocket(`${this.#url.replace(/^http/, "ws")}/ws/terminals/${encodeURIComponent(id)}`, {
      headers: { authorization: `Bearer ${this.#token}` },
      maxPayload: longestFrameBytes,
    });
    return new Promise((resolve, reject) => {
      socket.once("open", () => resolve(createWebSocketStream(socket)));
      socket.once("unexpected-response", (_, answer) => void refusal(answer).then(reject));
      socket.once("error", (cause) =>
        reject(new ReinsError("network", `The server at ${this.#url} does not answer.`, { cause })),
      );
    });
  }
}

/** Rejects plain HTTP to another machine: the token would be sent unencrypted. */
function serverAddress(address: string): string {
  const url = URL.parse(address);
  if (url === null || !["http:", "https:"].includes(url.protocol))
    throw new ReinsError("invalid_input", `${address} is not the address of a server.`, {
      help: `Write \`${here}\`, or an address such as https://reins.example.`,
    });
  const isLoopback = ["localhost", "127.0.0.1", "[::1]"].includes(url.hostname);
  if (url.protocol === "https:" || isLoopback) return url.origin;
  throw new ReinsError("invalid_input", `The token would be sent unencrypted to ${url.origin}.`, {
    help: "Use https, or a tunnel to this machine such as `ssh -L`.",
  });
}

async function refusal(answer: IncomingMessage): Promise<ReinsError> {
  const chunks: Buffer[] = [];
  for await (const chunk of answer) chunks.push(chunk as Buffer);
  return errorOf(parseJson(Buffer.concat(chunks).toString()), answer.statusCode);
}
