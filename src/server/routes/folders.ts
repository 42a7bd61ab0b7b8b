import { endpoint } from "../endpoint.ts";
import type { App } from "../endpoint.ts";
import * as schemas from "../schemas/folders.ts";
import { subfoldersOf } from "../subfolders.ts";

/** Where a session may begin. */
export function folderRoutes(app: App): void {
  endpoint(
    app,
    {
      method: "get",
      path: "/api/folders",
      summary: "The folders that complete a path within the roots.",
      scope: "prompt",
      query: schemas.foldersQuery,
      answer: schemas.foldersAnswer,
    },
    async ({ query, principal }) => ({ folders: await subfoldersOf(principal, query.path) }),
  );
}
