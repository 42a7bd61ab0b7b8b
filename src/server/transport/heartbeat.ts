import type { WebSocket } from "ws";

/** Questions without an answer; one may be late only because this process was busy. */
const mostUnanswered = 2;

/** Asks a WebSocket again and again whether it is there; one that neither says so nor takes anything is let go. */
export function keepAsking(socket: WebSocket, everyMs: number, each: () => void): () => void {
  let unanswered = 0;
  let left = 0;
  const heard = (): void => void (unanswered = 0);
  socket.on("pong", heard).on("message", heard);
  const timer = setInterval(() => {
    const { bufferedAmount } = socket;
    // The question waits behind what is on its way: whoever takes that is there.
    if (bufferedAmount < left) unanswered = 0;
    if (unanswered >= mostUnanswered) return socket.terminate();
    unanswered++;
    left = bufferedAmount;
    each();
    if (socket.readyState === socket.OPEN) socket.ping();
  }, everyMs).unref();
  return () => clearInterval(timer);
}
