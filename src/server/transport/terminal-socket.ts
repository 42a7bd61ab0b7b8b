/** A WebSocket that shows a held terminal: passes the frames of `protocols/pty/frames.ts` in binary messages to the holder and back. */
import { connect, type Socket } from "node:net";
import type { WebSocket } from "ws";
import { frame, FrameReader, type FrameKind } from "../../protocols/pty/frames.ts";
import type { Principal } from "../access/principal.ts";
import type { ServerContext } from "../context.ts";
import { keepAsking } from "./heartbeat.ts";

export interface TerminalSocketOptions {
  readonly server: ServerContext;
  readonly principal: Principal;
  readonly holder: string;
}

const viewerFrames: ReadonlySet<FrameKind> = new Set(["hello", "input", "resize", "detach"]);
const longestViewerFrame = 1024 * 1024;
/** Close codes that the client chose; with any other, the connection was lost. */
const deliberate: ReadonlySet<number> = new Set([1000, 1001, 1005]);

export class TerminalConnection {
  readonly closed: Promise<void>;
  readonly #socket: WebSocket;
  readonly #holder: Socket;
  readonly #reader = new FrameReader(longestViewerFrame);
  readonly #fullBytes: number;
  #detached = false;

  constructor(socket: WebSocket, { server, principal, holder }: TerminalSocketOptions) {
    const { fullBytes, heartbeatMs, lostViewerMs } = server.limits;
    this.#socket = socket;
    this.#fullBytes = fullBytes;
    this.#holder = connect(holder);
    this.closed = new Promise((resolve) => this.#holder.once("close", () => resolve()));
    const check = (): void => void (principal.counts() || socket.close(4401, "This token is no longer valid."));
    const stopListening = server.tokens.onRemoved(check);
    const stopAsking = keepAsking(socket, heartbeatMs, check);
    let lost: NodeJS.Timeout | undefined;

    socket.on("message", (data: Buffer, binary: boolean) => this.#take(data, binary));
    socket.on("error", () => socket.terminate());
    socket.on("close", (code) => {
      stopListening();
      stopAsking();
      // Unread output must not keep the program waiting.
      this.#holder.resume();
      // The holder closes the connection of a viewer that detached. A client that never became a viewer is closed here.
      if (this.#detached) return void this.#holder.end();
      // The holder ends the program with this connection. A viewer that lost its connection has some time to come back.
      const end = (): void => void this.#holder.destroy();
      if (deliberate.has(code)) end();
      else lost = setTimeout(end, lostViewerMs);
    });
    this.#holder.on("data", (bytes) => this.#pass(bytes));
    this.#holder.on("drain", () => socket.resume());
    this.#holder.on("error", () => this.#holder.destroy());
    this.#holder.on("close", () => {
      clearTimeout(lost);
      // A paused socket would not read the answer to the close.
      socket.resume();
      socket.close(1000);
    });
  }

  /** The server stops, and ends the programs that it shows. */
  stop(): void {
    this.#socket.close(1001, "The server is stopping.");
    this.#holder.destroy();
  }

  #take(data: Buffer, binary: boolean): void {
    // A client with a removed token that ignores the close must not send more input.
    if (this.#socket.readyState !== this.#socket.OPEN) return;
    if (!binary) return this.#socket.close(4400, "The frames of a terminal are binary.");
    try {
      for (const { kind, bytes } of this.#reader.push(data)) {
        if (!viewerFrames.has(kind)) throw new Error("This frame is not one that a viewer may send.");
        this.#detached ||= kind === "detach";
        // If the program does not read its input, pause the client.
        if (!this.#holder.write(frame(kind, bytes))) this.#socket.pause();
      }
    } catch (error) {
      this.#socket.close(4400, (error as Error).message);
    }
  }

  /** While the client is behind, pause the holder, which makes the program wait. */
  #pass(bytes: Buffer): void {
    if (this.#socket.readyState !== this.#socket.OPEN) return;
    this.#socket.send(bytes, () => {
      if (this.#socket.bufferedAmount <= this.#fullBytes) this.#holder.resume();
    });
    if (this.#socket.bufferedAmount > this.#fullBytes) this.#holder.pause();
  }
}
