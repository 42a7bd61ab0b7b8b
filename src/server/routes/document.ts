import type { ServerContext } from "../context.ts";
import { referencePage, referenceStyle } from "../reference-page.ts";
import type { Described } from "../reference-page.ts";
import type { App } from "../endpoint.ts";

/** The API as OpenAPI 3.1, and to read. Made when it is first asked for. */
export function documentRoutes(app: App, { version }: ServerContext): void {
  app.openAPIRegistry.registerComponent("securitySchemes", "token", {
    type: "http",
    scheme: "bearer",
    description: "What `reins serve` prints, or what POST /api/tokens gave.",
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
