import { deleteCookie, setCookie } from "hono/cookie";
import type { Gate } from "../access/gate.ts";
import { platformFacts } from "../../process/platform.ts";
import type { ServerContext } from "../context.ts";
import { endpoint, gateRequestOf, type App } from "../endpoint.ts";
import * as schemas from "../schemas/settings.ts";
import { nothing } from "../schemas/common.ts";

/** The login needs no token, so its body is small. */
const strangersBytes = 16 * 1024;
const year = 365 * 24 * 60 * 60;

/** The caller, the cookie of the page, and tokens. */
export function accessRoutes(app: App, { cookie, version, tokens, env }: ServerContext, gate: Gate): void {
  endpoint(app, {
    route: "GET /api/me",
    summary: "The name and scopes of this token, and facts about this server.",
    scope: "read",
    answer: schemas.meAnswer,
    run: async ({ principal: { token, roots = [] } }) => ({
      ...{ ...token, version, cwd: process.cwd(), roots },
      platform: platformFacts(env),
    }),
  });
  endpoint(app, {
    route: "POST /api/login",
    summary: "Moves a token into a cookie that no script can read.",
    body: schemas.loginBody,
    bodyBytes: strangersBytes,
    answer: schemas.tokenSchema,
    run: async ({ body, context }) => {
      const { token } = gate.known(gateRequestOf(context), body.token);
      setCookie(context, cookie(), body.token, { httpOnly: true, sameSite: "Strict", path: "/", maxAge: year });
      return context.json(token);
    },
  });
  endpoint(app, {
    route: "POST /api/logout",
    summary: "Removes the cookie.",
    answer: nothing,
    run: async ({ context }) => {
      deleteCookie(context, cookie(), { path: "/" });
      return context.json({});
    },
  });

  endpoint(app, {
    route: "GET /api/tokens",
    summary: "Lists the tokens.",
    scope: "admin",
    answer: schemas.tokensAnswer,
    run: async () => ({ tokens: tokens.list() }),
  });
  endpoint(app, {
    route: "POST /api/tokens",
    summary: "Creates a token.",
    scope: "admin",
    body: schemas.newTokenBody,
    answer: schemas.newTokenAnswer,
    status: 201,
    run: async ({ body }) => tokens.create(body),
  });
  endpoint(app, {
    route: "DELETE /api/tokens/{id}",
    summary: "Revokes a token.",
    scope: "admin",
    params: schemas.tokenParams,
    answer: schemas.tokenSchema,
    run: async ({ params }) => tokens.remove(params.id),
  });
}
