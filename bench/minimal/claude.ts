import { streamJsonClient } from "./stream-json.ts";
import type { Launch, MinimalClient } from "./client.ts";

/** Every tool is held by a hook. No prompt of the measurement uses one. */
const hooks = { PreToolUse: [{ hookCallbackIds: ["hold"], timeout: 86_400, onFailure: "block" }] };

export function claudeClient(launch: Launch): Promise<MinimalClient> {
  return streamJsonClient(launch, { hooks });
}
