/** The server that the hook script calls: a socket that only this user can open, or a local port when sockets do not work. */
import { once } from "node:events";
import { chmod, writeFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { join } from "node:path";
import { isSameSecret } from "../../shared/same-secret.ts";
import { isHookEvent, type HookEvent } from "./events.ts";

interface HookServerOptions {
  /** A folder that only this user may open. */
  readonly folder: string;
  readonly token: string;
  readonly mostBytes: number;
  /** `gone`: aborted when the script no longer waits for the answer. */
  readonly onHook: (event: HookEvent, body: string, gone: AbortSignal) => Promise<HookAnswer>;
}

export interface HookAnswer {
  readonly permission?: string | undefined;
  readonly continue?: boolean | undefined;
  readonly user_message?: string | undefined;
}

/** The kernel's limit is 108 bytes on Linux and 104 on macOS; some systems cut longer paths. */
const longestSocket = 100;

/** `address` is the socket, or a file that contains the address. */
export async function serveHooks(options: HookServerOptions) {
  const server = createServer((request, response) => void serve(options, request, response));
  // A person may take long to answer.
  server.requestTimeout = 0;
  const address = await listen(server, options.folder);
  return {
    address,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function listen(server: Server, folder: string): Promise<string> {
  const socket = join(folder, "socket");
  if (process.platform !== "win32" && Buffer.byteLength(socket) <= longestSocket) {
    await opened(server, () => server.listen(socket));
    await chmod(socket, 0o600);
    return socket;
  }
  await opened(server, () => server.listen(0, "127.0.0.1"));
  const place = server.address();
  const port = typeof place === "object" && place !== null ? place.port : 0;
  const file = join(folder, "address");
  await writeFile(file, `http://127.0.0.1:${port}\n`, { mode: 0o600 });
  return file;
}

async function opened(server: Server, listening: () => unknown): Promise<void> {
  listening();
  await once(server, "listening");
  server.on("error", () => {});
  // A session that was never closed must not keep the process alive.
  server.unref();
}

async function serve(
  { token, mostBytes, onHook }: HookServerOptions,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const end = (status: number, text = ""): void => {
    const headers = { "content-type": "text/plain; charset=utf-8", "content-length": Buffer.byteLength(text) };
    response.writeHead(status, { ...headers, connection: "close" }).end(text);
  };
  const gone = new AbortController();
  response.once("close", () => gone.abort());
  try {
    const body = await bodyOf(request, mostBytes);
    const event = (request.url ?? "").slice(1);
    if (!isSameSecret(request.headers.authorization ?? "", `Bearer ${token}`)) return end(401);
    if (body === undefined) return end(413);
    if (request.method !== "POST" || !isHookEvent(event)) return end(404);
    const answer = await onHook(event, body, gone.signal);
    if (answer.permission !== "deny" && answer.continue !== false) return end(200, JSON.stringify(answer));
    // The script also prints the reason of a denial on stderr, and cannot parse JSON.
    end(403, `${JSON.stringify(answer)}\n${answer.user_message ?? "Reins does not allow it."}`);
  } catch {
    if (!response.headersSent) end(500);
  }
}

/** Undefined when the body is too long; the rest is then read and dropped. */
async function bodyOf(request: IncomingMessage, mostBytes: number): Promise<string | undefined> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of request as AsyncIterable<Buffer>) {
    bytes += piece.length;
    if (bytes <= mostBytes) pieces.push(piece);
  }
  return bytes > mostBytes ? undefined : Buffer.concat(pieces).toString("utf8");
}
