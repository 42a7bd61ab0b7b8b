/** Minimal client for Codex's app server. */
import { unwanted } from "../../src/agents/codex/translate-items.ts";
import { startChild } from "./child.ts";
import { inside, type Launch, type MinimalClient } from "./client.ts";
import { asking } from "./json-rpc.ts";

/** Approvals are requested from the client; calls that need none run in a sandbox without write or network access. */
const held = { approvalPolicy: "on-request", approvalsReviewer: "user" };

export async function codexClient(launch: Launch): Promise<MinimalClient> {
  const child = startChild(launch);
  const ask = asking(child, {});
  const capabilities = { experimentalApi: true, requestAttestation: false, optOutNotificationMethods: unwanted };
  await ask("initialize", { clientInfo: { name: "bench", title: "Bench", version: "1" }, capabilities });
  child.write({ method: "initialized" });
  const config = { "features.default_mode_request_user_input": true, suppress_unstable_features_warning: true };
  const start = { cwd: launch.cwd, sandbox: "read-only", ...held, config, experimentalRawEvents: true };
  const { thread, model } = await ask("thread/start", start);
  const { id: threadId } = inside(thread);
  return {
    async turn(prompt) {
      const over = child.when(({ method }) => method === "turn/completed");
      const sandboxPolicy = { type: "readOnly", networkAccess: false };
      const input = [{ type: "text", text: prompt, text_elements: [] }];
      await ask("turn/start", { threadId, input, model, sandboxPolicy, ...held });
      const { status } = inside(inside((await over)["params"])["turn"]);
      if (status !== "completed") throw new Error(`The turn ended with ${String(status)}.`);
    },
    close: () => child.stop(),
  };
}
