/** One WebSocket that shows a held terminal: the frames of `protocols/pty/frames.ts` in binary messages, to the holder and back. */
import { connect, type Socket } from "node:net";
import type { WebSocket } from "ws";
import { frame, FrameReader, type FrameKind } from "../../protocols/pty/frames.ts";
import type { Principal } from "../access/principal.ts";
import type { ServerContext } from "../context.ts";
import { keepAsking } from "./heartbeat.ts";

export interface TerminalSocketOptions {
  readonly server: ServerContext;
  readonly principal: Principal;
  /** The socket of the holder. */
  readonly holder: string;
}

/** Frames that a viewer sends. */
const viewerFrames: ReadonlySet<FrameKind> = new Set(["hello", "input", "resize", "detach"]);
const longestViewerFrame = 1024 * 1024;
/** Ends of a WebSocket that its client chose; any other is a connection that was lost. */
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
    const check = (): void => void (principal.counts() || socket.close(4401, "This token counts no longer."));
    const stopListening = server.tokens.onRemoved(check);
    const stopAsking = keepAsking(socket, heartbeatMs, check);
    let lost: NodeJS.Timeout | undefined;

    socket.on("message", (data: Buffer, binary: boolean) => this.#take(data, binary));
    socket.on("error", () => socket.terminate());
    socket.on("close", (code) => {
      stopListening();
      stopAsking();
      // What is left to read must not keep the program waiting.
      this.#holder.resume();
      // The holder ends the connection of a viewer that detached; one that never was a viewer has to do it here.
      if (this.#detached) return void this.#holder.end();
      // The holder ends the program with this connection. A viewer that was cut off has some time to come back.
      const end = (): void => void this.#holder.destroy();
      if (deliberate.has(code)) end();
      else lost = setTimeout(end, lostViewerMs);
    });
    this.#holder.on("data", (bytes) => this.#pass(bytes));
    this.#holder.on("drain", () => socket.resume());
    this.#holder.on("error", () => this.#holder.destroy());
    this.#holder.on("close", () => {
      clearTimeout(lost);
      // Paused, it would not read the answer to the close.
      socket.resume();
      socket.close(1000);
    });
  }

  /** The server stops: so does a program that is shown through it. */
  stop(): void {
    this.#socket.close(1001, "The server stops.");
    this.#holder.destroy();
  }

  #take(data: Buffer, binary: boolean): void {
    // A client that does not answer the close of a token that counts no longer must not go on typing.
    if (this.#socket.readyState !== this.#socket.OPEN) return;
    if (!binary) return this.#socket.close(4400, "The frames of a terminal are binary.");
    try {
      for (const { kind, bytes } of this.#reader.push(data)) {
        if (!viewerFrames.has(kind)) throw new Error("This frame is none of a viewer.");
        this.#detached ||= kind === "detach";
        // A program that does not read makes its typist wait.
        if (!this.#holder.write(frame(kind, bytes))) this.#socket.pause();
      }
    } catch (error) {
      this.#socket.close(4400, (error as Error).message);
    }
  }

  /** While the client is behind, nothing more is read, and the holder makes the program wait. */
  #pass(bytes: Buffer): void {
    if (this.#socket.readyState !== this.#socket.OPEN) return;
    this.#socket.send(bytes, () => {
      if (this.#socket.bufferedAmount <= this.#fullBytes) this.#holder.resume();
    });
    if (this.#socket.bufferedAmount > this.#fullBytes) this.#holder.pause();
  }
}
