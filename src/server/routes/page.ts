import { readFile } from "node:fs/promises";
import { extname, join, resolve } from "node:path";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { pathRules, relativeTo } from "../../workspace/paths.ts";
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

/** The page, as static files. Its own routes are after the `#`, so there is only one HTML file. */
export function pageRoutes(app: App, folder: string | undefined): void {
  const smaller = new Map<string, Uint8Array>();
  app.get("*", async (context, next) => {
    const { path } = context.req;
    const name = path === "/" ? "index.html" : path;
    const content = folder === undefined ? undefined : await fileIn(folder, name);
    if (content === undefined) return path === "/" ? context.html(missingPage, 404) : next();
    // Names below /assets/ contain a hash of the content. Other spellings of the path are not cached.
    const isAsset = /^\/assets\/[\w.-]+$/.test(path);
    const headers = {
      "content-type": types[extname(name)] ?? "application/octet-stream",
      "cache-control": isAsset ? "public, max-age=31536000, immutable" : "no-cache",
    };
    if (!isAsset || !/\bgzip\b/.test(context.req.header("accept-encoding") ?? ""))
      return context.body(new Uint8Array(content), 200, headers);
    const small = smaller.get(path) ?? (await promisify(gzip)(content));
    smaller.set(path, small);
    return context.body(new Uint8Array(small), 200, {
      ...headers,
      "content-encoding": "gzip",
      vary: "accept-encoding",
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
  if (!relativeTo(resolve(folder), path, pathRules()) || path.includes("\0")) return undefined;
  return readFile(path).catch(() => undefined);
}

/** Shown when the page is not built. Without a style, because the content policy allows only the page's own. */
const missingPage = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Reins</title></head>
<body><h1>The page is not built</h1>
<p>Run <code>npm run build</code> in the folder of Reins, then start <code>reins serve</code> again.</p>
<p>The API works without it: <a href="/docs">what it can do</a>.</p></body></html>
`;
