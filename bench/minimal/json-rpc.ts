/** JSON-RPC over the lines of a child: only what the two protocols built on it need. */
import type { Child } from "./child.ts";
import { inside, type Message } from "./client.ts";

export type Ask = (method: string, params: object) => Promise<Message>;

/** `version`: Codex omits the `jsonrpc` field. */
export function asking(child: Child, version: { readonly jsonrpc?: "2.0" } = { jsonrpc: "2.0" }): Ask {
  let next = 0;
  return async (method, params) => {
    const id = next++;
    const answered = child.when((message) => message["id"] === id && message["method"] === undefined);
    child.write({ ...version, id, method, params });
    const { result, error } = await answered;
    if (error !== undefined) throw new Error(`${method}: ${JSON.stringify(error)}`);
    return inside(result);
  };
}
