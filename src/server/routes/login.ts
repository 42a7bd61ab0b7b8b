import { setCookie, deleteCookie } from "hono/cookie";
import type { Gate } from "../access/gate.ts";
import type { ServerContext } from "../context.ts";
import { endpoint } from "../endpoint.ts";
import type { App } from "../endpoint.ts";
import { knockOf } from "../knock.ts";
import * as schemas from "../schemas/access.ts";
import { nothing } from "../schemas/common.ts";

/** Anybody may send one. */
const strangersBytes = 16 * 1024;
const year = 365 * 24 * 60 * 60;

/** Who asks, and the page's cookie. */
export function loginRoutes(app: App, { cookie, version }: ServerContext, gate: Gate): void {
  endpoint(
    app,
    {
      method: "get",
      path: "/api/me",
      summary: "Who this token is, and what this server is.",
      scope: "read",
      answer: schemas.meAnswer,
    },
    async ({ principal: { token, roots = [] } }) => ({ ...token, version, cwd: process.cwd(), roots }),
  );
  endpoint(
    app,
    {
      method: "post",
      path: "/api/login",
      summary: "Moves a token into a cookie that no script can read.",
      body: schemas.loginBody,
      bodyBytes: strangersBytes,
      answer: schemas.tokenSchema,
    },
    async ({ body, context }) => {
      const { token } = gate.known(knockOf(context), body.token);
      setCookie(context, cookie(), body.token, { httpOnly: true, sameSite: "Strict", path: "/", maxAge: year });
      return context.json(token);
    },
  );
  endpoint(
    app,
    { method: "post", path: "/api/logout", summary: "Takes the cookie away.", answer: nothing },
    async ({ context }) => {
      deleteCookie(context, cookie(), { path: "/" });
      return context.json({});
    },
  );
}
