/** Minimal client for Claude Code and for Qwen Code, which speaks the same protocol: lines of JSON in both directions. */
import { randomUUID } from "node:crypto";
import { startChild } from "./child.ts";
import { inside, type Launch, type MinimalClient } from "./client.ts";

/** `wanted` is the initialize request, in which a client says how it holds tools. */
export async function streamJsonClient(launch: Launch, wanted: object): Promise<MinimalClient> {
  const child = startChild({ ...launch, args: withOwnSession(launch.args) });
  const request_id = randomUUID();
  const ready = child.when(
    ({ type, response }) => type === "control_response" && inside(response)["request_id"] === request_id,
  );
  child.write({ type: "control_request", request_id, request: { subtype: "initialize", ...wanted } });
  const { subtype } = inside((await ready)["response"]);
  if (subtype !== "success") throw new Error(`The initialize request failed: ${String(subtype)}.`);
  return {
    async turn(prompt) {
      const over = child.when(({ type }) => type === "result");
      const message = { role: "user", content: prompt };
      child.write({ type: "user", session_id: "", parent_tool_use_id: null, message });
      const { is_error: failed, result } = await over;
      if (failed === true) throw new Error(`The turn failed: ${String(result)}`);
    },
    close: () => child.stop(),
  };
}

/** Gives the second program a session id of its own: two programs cannot share one conversation. */
function withOwnSession(args: readonly string[]): string[] {
  return args.map((word, index) => (args[index - 1] === "--session-id" ? randomUUID() : word));
}
