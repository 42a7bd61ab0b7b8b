/** A client of the server's WebSocket that keeps every frame. */
import { onTestFinished } from "vitest";
import { WebSocket } from "ws";
import type { ServerFrame } from "../../src/server/schemas/socket.ts";
import type { TestServer } from "./api-server.ts";

export class Peer {
  readonly frames: ServerFrame[] = [];
  readonly socket: WebSocket;
  readonly closed: Promise<number>;
  #wake: (() => void) | undefined;

  constructor(server: TestServer, headers: Record<string, string> = {}) {
    this.socket = new WebSocket(server.url.replace("http", "ws") + "/ws", { headers });
    this.socket.on("message", (data: Buffer) => {
      this.frames.push(JSON.parse(data.toString()) as ServerFrame);
      this.#wake?.();
    });
    this.closed = new Promise((resolve) => this.socket.on("close", resolve));
    this.socket.on("error", () => undefined);
    onTestFinished(() => this.socket.terminate());
  }

  async open(): Promise<this> {
    await new Promise((resolve, reject) =>
      this.socket
        .once("open", resolve)
        .once("unexpected-response", (_asked, answer) => reject(new Error(String(answer.statusCode)))),
    );
    return this;
  }

  say(frame: unknown): void {
    this.socket.send(typeof frame === "string" ? frame : JSON.stringify(frame));
  }

  async until<Found extends ServerFrame>(is: (frame: ServerFrame) => frame is Found): Promise<Found> {
    for (;;) {
      const found = this.frames.find(is);
      if (found !== undefined) return found;
      await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }

  get seqs(): readonly number[] {
    return this.frames.filter(isA("events")).flatMap(({ events }) => events.map(({ seq }) => seq));
  }
}

export const isA =
  <Type extends ServerFrame["type"]>(type: Type) =>
  (frame: ServerFrame): frame is Extract<ServerFrame, { type: Type }> =>
    frame.type === type;

/** A client that signs in with a token. */
export async function peerOf(server: TestServer, token = server.tokens.own): Promise<Peer> {
  return new Peer(server, { authorization: `Bearer ${token}` }).open();
}
