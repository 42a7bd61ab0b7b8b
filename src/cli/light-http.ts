/** As much of HTTP as our own server speaks, over the sockets that are loaded anyway: `node:http` takes longer to be there than a short command has. */
import { connect } from "node:net";
import type { Socket } from "node:net";
import { bodyOf, headOf, Incoming } from "./light-answer.ts";

export interface Question {
  readonly method?: string | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly body?: string | undefined;
}

export interface LightAnswer {
  readonly status: number;
  /** To be read to its end, or destroyed. */
  readonly body: AsyncIterable<Buffer>;
  destroy(): void;
}

/** How long a connection rests at most: the server closes it some seconds later, and what is sent into one just then is lost. */
const restMs = 1_000;

/** Connections that wait for the next question, and until when. They keep no process. */
const idle = new Map<string, Map<Socket, number>>();

/** The answer, of which the body is still to be read. */
export async function answered(url: string, question: Question = {}, signal?: AbortSignal): Promise<LightAnswer> {
  const { host } = new URL(url);
  const socket = connectionTo(host);
  const destroy = (): void => void socket.destroy();
  signal?.addEventListener("abort", destroy);
  try {
    socket.write(requestOf(url, question));
    const incoming = new Incoming(socket);
    const { status, headers } = await headOf(incoming);
    const body = bodyOf(incoming, headers, (isWhole) => {
      if (isWhole && headers.get("connection") !== "close") giveBack(host, socket);
      else destroy();
    });
    return { status, body, destroy };
  } catch (error) {
    destroy();
    throw error;
  } finally {
    signal?.removeEventListener("abort", destroy);
  }
}

export async function wholeOf({ body }: LightAnswer): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** Until the system has it: it arrives then, also when this process is gone. The answer is nobody's. */
export function sent(url: string, question: Question): Promise<void> {
  const socket = connectionTo(new URL(url).host);
  return new Promise((resolve, reject) => {
    socket.write(requestOf(url, question), (error) => {
      socket.unref();
      if (error instanceof Error) reject(socket.errored ?? error);
      else resolve();
    });
  });
}

function requestOf(url: string, { method = "GET", headers = {}, body }: Question): string {
  const { host, pathname, search } = new URL(url);
  const length = body === undefined ? {} : { "content-length": String(Buffer.byteLength(body)) };
  const lines = Object.entries({ host, ...headers, ...length }).map(([name, value]) => `${name}: ${value}`);
  return `${[`${method} ${pathname}${search} HTTP/1.1`, ...lines].join("\r\n")}\r\n\r\n${body ?? ""}`;
}

function connectionTo(host: string): Socket {
  const free = idle.get(host) ?? new Map<Socket, number>();
  idle.set(host, free);
  for (const [socket, until] of free) {
    free.delete(socket);
    if (performance.now() < until) return socket.setTimeout(0).ref().pause();
    socket.destroy();
  }
  const { hostname, port } = new URL(`http://${host}`);
  const socket = connect({ host: hostname.replace(/^\[|\]$/g, ""), port: Number(port) });
  const forget = (): void => void free.delete(socket);
  return (
    socket
      // Of it hears whoever reads.
      .on("error", () => undefined)
      .on("timeout", () => socket.destroy())
      .on("end", forget)
      .on("close", forget)
  );
}

function giveBack(host: string, socket: Socket): void {
  if (socket.destroyed) return;
  // It flows, so that it is heard when the server closes it.
  idle.get(host)?.set(socket.setTimeout(restMs).unref().resume(), performance.now() + restMs);
}
