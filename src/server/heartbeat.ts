import type { WebSocket } from "ws";

/** Asks a WebSocket again and again whether it is there; one that neither says so nor takes anything is let go. */
export function keepAsking(socket: WebSocket, everyMs: number, each: () => void): () => void {
  let heard = true;
  let left = 0;
  socket.on("pong", () => (heard = true));
  socket.on("message", () => (heard = true));
  const timer = setInterval(() => {
    const { bufferedAmount } = socket;
    // The question waits behind what is on its way: whoever takes that is there.
    if (!heard && (bufferedAmount === 0 || bufferedAmount >= left)) return socket.terminate();
    heard = false;
    left = bufferedAmount;
    each();
    if (socket.readyState === socket.OPEN) socket.ping();
  }, everyMs).unref();
  return () => clearInterval(timer);
}
