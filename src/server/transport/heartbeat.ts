import type { WebSocket } from "ws";

/** Pings without an answer before the client counts as gone. More than one, because this process may have been busy. */
const mostUnanswered = 2;

/** Pings a WebSocket, and terminates it if the client neither answers nor takes data. */
export function keepAsking(socket: WebSocket, everyMs: number, each: () => void): () => void {
  let unanswered = 0;
  let left = 0;
  const heard = (): void => void (unanswered = 0);
  socket.on("pong", heard).on("message", heard);
  const timer = setInterval(() => {
    const { bufferedAmount } = socket;
    // The ping waits behind other data; a client that still takes data is alive.
    if (bufferedAmount < left) unanswered = 0;
    if (unanswered >= mostUnanswered) return socket.terminate();
    unanswered++;
    left = bufferedAmount;
    each();
    if (socket.readyState === socket.OPEN) socket.ping();
  }, everyMs).unref();
  return () => clearInterval(timer);
}
