import { readFile } from "node:fs/promises";
import { extname, join, resolve, sep } from "node:path";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import type { App } from "../endpoint.ts";

const types: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".ico": "image/x-icon",
  ".woff2": "font/woff2",
  ".json": "application/json",
  ".webmanifest": "application/manifest+json",
  ".txt": "text/plain; charset=utf-8",
};

const packed = promisify(gzip);
const worthPacking = /^\/assets\/.*\.(?:js|css|svg)$/;

/** The page from its folder: files by their names, and for a place within it the page itself. */
export function pageRoutes(app: App, folder: string | undefined): void {
  // The names of assets change with what is in them, so each is packed once.
  const kept = new Map<string, Promise<Uint8Array>>();
  app.get("*", async (context, next) => {
    const { path } = context.req;
    if (/^\/(api|ws|hooks|metrics)(\/|$)/.test(path)) return next();
    const name = extname(path) === "" ? "index.html" : path;
    const content = folder === undefined ? undefined : await fileIn(folder, name);
    if (content === undefined) {
      if (name !== "index.html") return next();
      return context.text("The page is not built. The API is described at /docs.\n", 404);
    }
    const lasting = path.startsWith("/assets/") ? "public, max-age=31536000, immutable" : "no-cache";
    const about = { "content-type": types[extname(name)] ?? "application/octet-stream", "cache-control": lasting };
    if (!worthPacking.test(path)) return context.body(new Uint8Array(content), 200, about);
    if (!/\bgzip\b/.test(context.req.header("accept-encoding") ?? ""))
      return context.body(new Uint8Array(content), 200, { ...about, vary: "accept-encoding" });
    const small = kept.get(path) ?? packed(content);
    kept.set(path, small);
    return context.body(new Uint8Array(await small), 200, {
      ...about,
      vary: "accept-encoding",
      "content-encoding": "gzip",
    });
  });
}

async function fileIn(folder: string, name: string): Promise<Uint8Array | undefined> {
  let path: string;
  try {
    path = resolve(join(folder, decodeURIComponent(name)));
  } catch {
    return undefined;
  }
  if (!path.startsWith(resolve(folder) + sep) || path.includes("\0")) return undefined;
  return readFile(path).catch(() => undefined);
}
