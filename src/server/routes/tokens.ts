import type { ServerContext } from "../context.ts";
import { endpoint } from "../endpoint.ts";
import type { App } from "../endpoint.ts";
import * as schemas from "../schemas/access.ts";

export function tokenRoutes(app: App, { tokens }: ServerContext): void {
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
}
