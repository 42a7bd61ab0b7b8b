import { requireScope } from "../access/principal.ts";
import type { ServerContext } from "../context.ts";
import type { App } from "../endpoint.ts";

/** For who watches over the server. */
export function statusRoutes(app: App, { open, metrics, readers }: ServerContext): void {
  app.get("/health", (context) => context.json({ status: "ok" }));
  app.get("/metrics", (context) => {
    requireScope(context.get("principal"), "read");
    const { all } = open;
    const text = metrics.text({
      open: all.length,
      running: all.filter(({ running }) => running).length,
      waiting: all.reduce((sum, { waiting }) => sum + waiting.length, 0),
      readers: readers.count,
    });
    return context.text(text, 200, { "content-type": "text/plain; version=0.0.4; charset=utf-8" });
  });
}
