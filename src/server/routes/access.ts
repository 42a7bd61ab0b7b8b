import { setCookie, deleteCookie } from "hono/cookie";
import type { Gate } from "../access/gate.ts";
import { bytesOf, endpoint } from "../endpoint.ts";
import type { App } from "../endpoint.ts";
import type { ServerContext } from "../context.ts";
import { knockOf } from "../knock.ts";
import * as schemas from "../schemas/access.ts";
import { nothing, open } from "../schemas/common.ts";
import { uploadBytes } from "../uploads.ts";

const year = 365 * 24 * 60 * 60;

/** Tokens, the page's cookie, and files that come and go. */
export function accessRoutes(app: App, server: ServerContext, gate: Gate): void {
  const { tokens, uploads, reins, cookie, version } = server;

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

  endpoint(
    app,
    {
      method: "get",
      path: "/api/tokens",
      summary: "The tokens that were made.",
      scope: "admin",
      answer: schemas.tokensAnswer,
    },
    async () => ({ tokens: tokens.list() }),
  );
  endpoint(
    app,
    {
      method: "post",
      path: "/api/tokens",
      summary: "A further token.",
      scope: "admin",
      body: schemas.newTokenBody,
      answer: schemas.newTokenAnswer,
      status: 201,
    },
    async ({ body }) => tokens.create(body),
  );
  endpoint(
    app,
    {
      method: "delete",
      path: "/api/tokens/{id}",
      summary: "A token counts no longer.",
      scope: "admin",
      params: schemas.tokenParams,
      answer: schemas.tokenSchema,
    },
    async ({ params }) => tokens.remove(params.id),
  );

  endpoint(
    app,
    {
      method: "post",
      path: "/api/uploads",
      summary: "A file to attach to a prompt: its bytes as they are.",
      scope: "prompt",
      query: schemas.uploadQuery,
      answer: schemas.uploadAnswer,
      status: 201,
    },
    async ({ query, context }) =>
      uploads.add(await bytesOf(context, uploadBytes), query.name, context.req.header("content-type")?.split(";")[0]),
  );
  endpoint(
    app,
    {
      method: "get",
      path: "/api/blobs/{ref}",
      summary: "What was too large for an event.",
      scope: "read",
      params: schemas.blobParams,
      answer: open,
      gives: "application/octet-stream",
    },
    async ({ params }) =>
      new Response(Buffer.from(await reins.sessions.content(params.ref)), {
        headers: { "content-type": "application/octet-stream", "content-disposition": "attachment" },
      }),
  );
}
