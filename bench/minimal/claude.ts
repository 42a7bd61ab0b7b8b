import { streamJsonClient } from "./stream-json.ts";
import type { Launch, MinimalClient } from "./client.ts";

/** A hook that holds every tool. No prompt of this measurement uses a tool. */
const hooks = { PreToolUse: [{ hookCallbackIds: ["hold"], timeout: 86_400, onFailure: "block" }] };

export function claudeClient(launch: Launch): Promise<MinimalClient> {
  return streamJsonClient(launch, { hooks });
}
