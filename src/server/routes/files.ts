import { mayWorkIn } from "../access/roots.ts";
import type { ServerContext } from "../context.ts";
import { bytesOf, endpoint } from "../endpoint.ts";
import type { App } from "../endpoint.ts";
import { HttpError } from "../http-error.ts";
import * as schemas from "../schemas/access.ts";
import { open } from "../schemas/common.ts";

/** Files that come and go. */
export function fileRoutes(app: App, { uploads, reins, store, limits }: ServerContext): void {
  endpoint(
    app,
    {
      method: "post",
      path: "/api/uploads",
      summary: "A file to attach to a prompt: its bytes as they are.",
      scope: "prompt",
      query: schemas.uploadQuery,
      takes: "application/octet-stream",
      answer: schemas.uploadAnswer,
      status: 201,
    },
    async ({ query, context }) =>
      uploads.add(
        await bytesOf(context, limits.uploadBytes),
        query.name,
        context.req.header("content-type")?.split(";")[0],
      ),
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
    async ({ params: { ref }, principal }) => {
      // The same as of what is not there.
      if (
        principal.roots !== undefined &&
        store?.sessions.folders(ref).some((one) => mayWorkIn(principal, one)) !== true
      )
        throw new HttpError(400, "invalid_input", `What ${ref} refers to is not kept, or no longer.`);
      return new Response(Buffer.from(await reins.sessions.content(ref)), {
        headers: { "content-type": "application/octet-stream", "content-disposition": "attachment" },
      });
    },
  );
}
