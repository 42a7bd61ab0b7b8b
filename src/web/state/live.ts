/** The page's socket. */
import { askMe } from "./me.ts";
import { LiveSocket } from "./socket.ts";
import type { Connection } from "./socket.ts";
import { useStore } from "./store.ts";

export const live = new LiveSocket(
  `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/ws`,
  // A socket that is refused does not say why.
  async () => (await askMe()).state !== "unknown",
);

export function useConnection(): Connection {
  return useStore(live.connection);
}

let listening = false;

/** Also after somebody signed in again. When the network is back, or the person looks at the page, nobody wants to wait for the next try. */
export function keepLive(): void {
  live.start();
  if (listening) return;
  listening = true;
  window.addEventListener("online", () => live.hurry());
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState === "visible") live.hurry();
  });
}
