import { connect } from "node:net";

/** Whether a server answers there. By a connection of its own, in a few bytes: what speaks all of HTTP is not loaded yet. */
export function knock(url: string, deadline: AbortSignal): Promise<boolean> {
  const { hostname, port, host } = new URL(url);
  return new Promise((resolve) => {
    const socket = connect({ host: hostname.replace(/^\[|\]$/g, ""), port: Number(port), signal: deadline });
    socket
      .on("data", (bytes) => {
        resolve(bytes.toString("latin1").startsWith("HTTP/1.1 200 "));
        socket.destroy();
      })
      .on("error", () => resolve(false))
      .on("close", () => resolve(false));
    socket.write(`GET /health HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
  });
}
