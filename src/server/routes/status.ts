import type { ServerContext } from "../context.ts";
import { endpoint } from "../endpoint.ts";
import type { App } from "../endpoint.ts";
import { HttpError } from "../http-error.ts";
import { healthAnswer, nothing, text } from "../schemas/common.ts";

/** For who watches over the server. */
export function statusRoutes(app: App, { open, metrics, readers }: ServerContext): void {
  endpoint(
    app,
    { method: "get", path: "/health", summary: "Whether the server is there.", answer: healthAnswer },
    async () => ({ status: "ok" }),
  );
  endpoint(
    app,
    {
      method: "get",
      path: "/metrics",
      summary: "What is counted, for Prometheus.",
      scope: "read",
      answer: text,
      gives: "text/plain",
    },
    async ({ context }) => {
      const { all } = open;
      const now = metrics.text({
        open: all.length,
        running: all.filter(({ running }) => running).length,
        waiting: all.reduce((sum, { waiting }) => sum + waiting.length, 0),
        readers: readers.count,
      });
      return context.text(now, 200, { "content-type": "text/plain; version=0.0.4; charset=utf-8" });
    },
  );
  endpoint(
    app,
    { method: "get", path: "/ws", summary: "The WebSocket; docs/api.md lists its frames.", answer: nothing },
    async () => {
      throw new HttpError(426, "invalid_input", "This is the place of a WebSocket.", {
        help: "Ask for it with `Upgrade: websocket`.",
      });
    },
  );
}
