import type { App } from "./endpoint.ts";
import { HttpError } from "./http-error.ts";

/** There is nothing at that path, or not with that method. */
export function notFound(app: App, path: string): HttpError & { readonly allow: readonly string[] } {
  const allow = methodsAt(app, path);
  const shown = path.slice(0, 200);
  const error =
    allow.length === 0
      ? new HttpError(404, "invalid_input", `There is nothing at ${shown}.`)
      : new HttpError(405, "invalid_input", `${shown} takes ${allow.join(", ")} only.`);
  return Object.assign(error, { allow });
}

function methodsAt(app: App, path: string): readonly string[] {
  const found = app.routes.filter((route) => route.method !== "ALL" && !route.path.includes("*"));
  const there = found.filter((route) => new RegExp(`^${route.path.replaceAll(/:\w+/g, "[^/]+")}$`).test(path));
  return [...new Set(there.map(({ method }) => method))];
}
