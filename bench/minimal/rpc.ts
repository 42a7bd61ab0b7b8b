/** Minimal client for pi's RPC protocol. The extension with which Reins holds its tools is on the command line. */
import { startChild } from "./child.ts";
import type { Launch, MinimalClient } from "./client.ts";

export async function piClient(launch: Launch): Promise<MinimalClient> {
  const child = startChild(launch);
  let next = 0;
  const ask = async (type: string, more: object = {}): Promise<void> => {
    const id = `bench-${next++}`;
    const answered = child.when((message) => message["type"] === "response" && message["id"] === id);
    child.write({ id, type, ...more });
    const { success, error } = await answered;
    if (success !== true) throw new Error(`${type}: ${String(error)}`);
  };
  await ask("get_state");
  return {
    async turn(message) {
      const over = child.when(({ type }) => type === "agent_settled");
      await ask("prompt", { message });
      await over;
    },
    close: () => child.stop(),
  };
}
