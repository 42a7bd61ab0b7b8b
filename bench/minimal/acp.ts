/** Minimal client for agents that speak ACP. */
import { asking } from "./json-rpc.ts";
import { startChild } from "./child.ts";
import { inside, type Launch, type Message, type MinimalClient } from "./client.ts";

const clientCapabilities = {
  fs: { readTextFile: false, writeTextFile: false },
  terminal: false,
  elicitation: { form: {} },
};

/** `mode` makes the agent ask before it acts; `options` are config options that are needed for the same purpose. */
export async function acpClient(
  launch: Launch,
  { mode, options = {} }: { readonly mode?: string; readonly options?: Readonly<Record<string, string>> } = {},
): Promise<MinimalClient> {
  const child = startChild(launch);
  const ask = asking(child);
  await ask("initialize", { protocolVersion: 1, clientCapabilities });
  const session = await ask("session/new", { cwd: launch.cwd, mcpServers: [] });
  const { sessionId } = session;
  const current = valuesOf(session);
  if (mode !== undefined && inside(session["modes"])["currentModeId"] !== mode)
    await ask("session/set_mode", { sessionId, modeId: mode });
  for (const [configId, value] of Object.entries(options))
    if (current.get(configId) !== value) await ask("session/set_config_option", { sessionId, configId, value });
  return {
    async turn(prompt) {
      const { stopReason } = await ask("session/prompt", { sessionId, prompt: [{ type: "text", text: prompt }] });
      if (stopReason !== "end_turn") throw new Error(`The turn ended with ${String(stopReason)}.`);
    },
    close: () => child.stop(),
  };
}

function valuesOf({ configOptions }: Message): Map<unknown, unknown> {
  const options = Array.isArray(configOptions) ? configOptions.map(inside) : [];
  return new Map(options.map(({ id, currentValue }) => [id, currentValue]));
}
