import { opendir, realpath, stat } from "node:fs/promises";
import { join } from "node:path";
import { mayWorkIn, requireInside, type Principal } from "../access/principal.ts";
import type { ServerContext } from "../context.ts";
import { bytesOf, endpoint, type App } from "../endpoint.ts";
import { HttpError } from "../http-error.ts";
import * as schemas from "../schemas/settings.ts";
import { foldersAnswer, foldersQuery, open } from "../schemas/common.ts";

/** Uploads, blobs, and the folders in which a session may begin. */
export function fileRoutes(app: App, { uploads, reins, store, limits }: ServerContext): void {
  endpoint(app, {
    route: "POST /api/uploads",
    summary: "Uploads a file to attach to a prompt, as raw bytes.",
    scope: "prompt",
    query: schemas.uploadQuery,
    takes: "application/octet-stream",
    answer: schemas.uploadAnswer,
    status: 201,
    run: async ({ query, context }) =>
      uploads.add(
        await bytesOf(context, limits.uploadBytes),
        query.name,
        context.req.header("content-type")?.split(";")[0],
      ),
  });
  endpoint(app, {
    route: "GET /api/blobs/{ref}",
    summary: "Returns content that was too large for an event.",
    scope: "read",
    params: schemas.blobParams,
    answer: open,
    gives: "application/octet-stream",
    run: async ({ params: { ref }, principal }) => {
      // The same message as for a blob that does not exist.
      if (
        principal.roots !== undefined &&
        store?.sessions.folders(ref).some((one) => mayWorkIn(principal, one)) !== true
      )
        throw new HttpError(400, "invalid_input", `The content ${ref} is not stored, or no longer.`);
      return new Response(Buffer.from(await reins.sessions.content(ref)), {
        headers: { "content-type": "application/octet-stream", "content-disposition": "attachment" },
      });
    },
  });

  endpoint(app, {
    route: "GET /api/folders",
    summary: "Lists the folders that complete a path within the roots.",
    scope: "prompt",
    query: foldersQuery,
    answer: foldersAnswer,
    run: async ({ query, principal }) => ({ folders: await subfoldersOf(principal, query.path) }),
  });
}

const most = 200;
/** A folder may have a million files. */
const mostLookedAt = 20_000;

/** Throws if the folder is outside the roots. Returns an empty list for a folder that cannot be read. */
export async function subfoldersOf(principal: Principal, typed: string): Promise<readonly string[]> {
  const slash = typed.lastIndexOf("/");
  const [folder, beginning] = [typed.slice(0, slash + 1), typed.slice(slash + 1).toLowerCase()];
  requireInside(principal, folder, "folder");
  const found: string[] = [];
  let looked = 0;
  try {
    // Read the folder that was checked, even if the path is a link.
    const real = await realpath(folder);
    if (!mayWorkIn(principal, real)) return [];
    for await (const entry of await opendir(real)) {
      if (found.length >= most || ++looked > mostLookedAt) break;
      const { name } = entry;
      if (!name.toLowerCase().startsWith(beginning) || (name.startsWith(".") && beginning === "")) continue;
      const path = join(real, name);
      const target = entry.isSymbolicLink() && mayWorkIn(principal, path) ? await stat(path).catch(() => entry) : entry;
      if (!target.isDirectory()) continue;
      found.push(join(folder, name));
    }
  } catch {
    return found;
  }
  return found.sort((a, b) => a.localeCompare(b));
}
