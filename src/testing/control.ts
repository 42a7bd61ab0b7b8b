/** The scripted model's own addresses, for a test in another process: `/_script/...`. */
import type { ServerResponse } from "node:http";
import { sendJson } from "./dialects/http.ts";
import type { LoggedRequest } from "./requests.ts";
import type { House } from "./house.ts";

/** False when the request is meant for the model. */
export function control(
  house: House,
  method: string,
  path: string,
  entry: LoggedRequest,
  response: ServerResponse,
): boolean {
  const [, space, what, name] = path.split("/");
  if (space !== "_script") return false;
  entry.kind = "control";
  if (method === "POST" && what === "release" && name) {
    house.gates.release(decodeURIComponent(name));
    sendJson(response, 200, { released: name });
  } else if (method === "GET" && what === "requests") {
    sendJson(
      response,
      200,
      house.log.entries.filter((request) => request.kind !== "control"),
    );
  } else if (method === "GET" && what === "scenarios") {
    sendJson(response, 200, [...house.script.scenarios.values()]);
  } else {
    sendJson(response, 404, { error: `There is no ${method} ${path}.` });
  }
  return true;
}
