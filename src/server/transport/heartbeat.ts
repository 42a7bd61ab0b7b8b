import type { WebSocket } from "ws";

/** Pings without an answer; one may be late because this process was busy. */
const mostUnanswered = 2;

/** Pings a WebSocket, and terminates it where it neither answers nor takes data. */
export function keepAsking(socket: WebSocket, everyMs: number, each: () => void): () => void {
  let unanswered = 0;
  let left = 0;
  const heard = (): void => void (unanswered = 0);
  socket.on("pong", heard).on("message", heard);
  const timer = setInterval(() => {
    const { bufferedAmount } = socket;
    // The ping waits behind other data; a client that takes that is alive.
    if (bufferedAmount < left) unanswered = 0;
    if (unanswered >= mostUnanswered) return socket.terminate();
    unanswered++;
    left = bufferedAmount;
    each();
    if (socket.readyState === socket.OPEN) socket.ping();
  }, everyMs).unref();
  return () => clearInterval(timer);
}
