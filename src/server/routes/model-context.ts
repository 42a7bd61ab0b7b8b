import type { ServerContext } from "../context.ts";
import { endpoint } from "../endpoint.ts";
import type { App } from "../endpoint.ts";
import { allowedOptions } from "../opening.ts";
import { promptOf } from "../prompt-of.ts";
import * as schemas from "../schemas/settings.ts";

export function modelContextRoutes(app: App, server: ServerContext): void {
  const { reins, uploads } = server;

  endpoint(
    app,
    {
      method: "post",
      path: "/api/context",
      summary: "What would be sent to the model now. Nothing is sent.",
      scope: "prompt",
      body: schemas.contextBody,
      answer: schemas.contextAnswer,
    },
    async ({ body: { prompt, ...body }, principal }) => {
      const { options } = await allowedOptions(server, principal, body);
      const said = prompt === undefined ? undefined : promptOf(uploads, principal, prompt);
      return reins.context({ ...options, prompt: said });
    },
  );
}
