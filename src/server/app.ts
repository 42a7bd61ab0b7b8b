/** Assembles the app: gate, resources, page, and one shape for all errors. */
import { OpenAPIHono } from "@hono/zod-openapi";
import type { Gate } from "./access/gate.ts";
import type { ServerContext } from "./context.ts";
import { gateRequestOf, type App, type ServerEnv } from "./endpoint.ts";
import { HttpError, answerOf, notFound, statusOf } from "./http-error.ts";
import { agentRoutes } from "./routes/agents.ts";
import { cloudRoutes, hookRoutes } from "./routes/cloud.ts";
import { comparisonRoutes } from "./routes/comparisons.ts";
import { settingsRoutes } from "./routes/settings.ts";
import { statusRoutes } from "./routes/status.ts";
import { eventRoutes } from "./routes/events.ts";
import { fileRoutes } from "./routes/files.ts";
import { historyRoutes } from "./routes/history.ts";
import { accessRoutes } from "./routes/access.ts";
import { pageRoutes } from "./routes/page.ts";
import { sessionRoutes } from "./routes/sessions.ts";
import { terminalRoutes } from "./routes/terminals.ts";
import { turnRoutes } from "./routes/turns.ts";

/** Allows only the page's own scripts, nothing from other origins, and no framing. */
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; font-src 'self'; connect-src 'self'; " +
  "manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const headers: Readonly<Record<string, string>> = {
  "content-security-policy": policy,
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
};

/** Paths that need no token. */
const open = new Set(["/api/login", "/api/logout"]);

export function createApp(server: ServerContext, gate: Gate, page: string | undefined): App {
  const app = new OpenAPIHono<ServerEnv>();

  app.onError((error, context) => {
    const status = statusOf(error);
    if (status >= 500)
      server.log.error({ path: context.req.path, why: server.redact(String(error.stack)) }, "a request failed");
    if (status === 429) context.header("retry-after", "60");
    return context.json(server.redact.deep(answerOf(error)), status as 500);
  });
  app.notFound((context) => {
    const error = notFound(app, context.req.path);
    if (error.allow.length > 0) context.header("allow", error.allow.join(", "));
    return context.json(answerOf(error), error.status as 404);
  });

  app.use(async (context, next) => {
    const began = performance.now();
    await next();
    for (const [name, value] of Object.entries(headers)) context.header(name, value);
    const { method, path } = context.req;
    if (path.startsWith("/api/") && !context.res.headers.has("cache-control"))
      context.header("cache-control", "no-store");
    const { status } = context.res;
    server.metrics.request(method, status);
    // Log the path without the query, which may contain anything.
    server.log.info({ method, path, status, ms: Math.round(performance.now() - began) }, "request");
  });

  app.use(async (context, next) => {
    const within = context.env?.principal;
    if (within !== undefined) context.set("principal", within);
    else {
      const knock = gateRequestOf(context);
      const { path, method } = context.req;
      gate.requireHost(knock);
      gate.requireOrigin(knock);
      const guarded = path.startsWith("/api/") || path === "/metrics";
      if (guarded && !open.has(path)) context.set("principal", gate.principal(knock));
      if (path.startsWith("/api/") && (method === "POST" || method === "PATCH"))
        requireType(path, context.req.header("content-type"));
    }
    await next();
  });

  statusRoutes(app, server);
  hookRoutes(app, server, gate);
  accessRoutes(app, server, gate);
  agentRoutes(app, server);
  sessionRoutes(app, server);
  turnRoutes(app, server);
  eventRoutes(app, server);
  fileRoutes(app, server);
  historyRoutes(app, server);
  settingsRoutes(app, server);
  cloudRoutes(app, server);
  comparisonRoutes(app, server);
  terminalRoutes(app, server);
  pageRoutes(app, page);
  return app;
}

/** Refuses form types, because a form on another page can send only those. */
function requireType(path: string, type = ""): void {
  const [kind = ""] = type.toLowerCase().split(";");
  const formLike = ["", "text/plain", "multipart/form-data", "application/x-www-form-urlencoded"].includes(kind.trim());
  if (path === "/api/uploads" ? !formLike : kind.trim() === "application/json") return;
  throw new HttpError(415, "invalid_input", "The body must be JSON, with a matching Content-Type.", {
    help: path === "/api/uploads" ? "Send the Content-Type of the file." : "Send `Content-Type: application/json`.",
  });
}
