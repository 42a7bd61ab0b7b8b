import type { Context } from "hono";
import type { Knock } from "./access/gate.ts";
import type { ServerEnv } from "./endpoint.ts";

/** A request as the gate sees it. */
export function knockOf({ req, env }: Context<ServerEnv>): Knock {
  return {
    headers: req.header(),
    address: env.incoming?.socket.remoteAddress ?? "",
    changes: req.method !== "GET" && req.method !== "HEAD",
  };
}
