import type { ServerContext } from "../context.ts";
import { endpoint, type App } from "../endpoint.ts";
import { HttpError } from "../http-error.ts";
import { referencePage, referenceStyle, type Described } from "../reference-page.ts";
import { healthAnswer, nothing, text } from "../schemas/common.ts";

/** Health, metrics and the OpenAPI document, which is built when it is first requested. */
export function statusRoutes(app: App, { open, metrics, readers, version }: ServerContext): void {
  endpoint(app, {
    route: "GET /health",
    summary: "Checks that the server runs.",
    answer: healthAnswer,
    run: async () => ({ status: "ok" }),
  });
  endpoint(app, {
    route: "GET /metrics",
    summary: "Returns the metrics in the Prometheus format.",
    scope: "read",
    answer: text,
    gives: "text/plain",
    run: async ({ context }) => {
      const { all } = open;
      const now = metrics.text({
        open: all.length,
        running: all.filter(({ running }) => running).length,
        waiting: all.reduce((sum, { waiting }) => sum + waiting.length, 0),
        readers: readers.count,
      });
      return context.text(now, 200, { "content-type": "text/plain; version=0.0.4; charset=utf-8" });
    },
  });
  endpoint(app, {
    route: "GET /ws",
    summary: "The WebSocket; docs/api.md lists its frames.",
    answer: nothing,
    run: async () => {
      throw new HttpError(426, "invalid_input", "This path is for a WebSocket.", {
        help: "Send the header `Upgrade: websocket`.",
      });
    },
  });

  app.openAPIRegistry.registerComponent("securitySchemes", "token", {
    type: "http",
    scheme: "bearer",
    description: "The token that `reins serve` prints, or one from POST /api/tokens.",
  });
  let made: ReturnType<App["getOpenAPI31Document"]> | undefined;
  const document = () =>
    (made ??= app.getOpenAPI31Document({
      openapi: "3.1.0",
      info: { title: "Reins", version, description: "One set of reins for every coding agent." },
    }));
  app.get("/openapi.json", (context) => context.json(document()));
  app.get("/docs", (context) => context.html(referencePage(document() as unknown as Described)));
  app.get("/docs/style.css", (context) =>
    context.body(referenceStyle, 200, { "content-type": "text/css; charset=utf-8" }),
  );
}
