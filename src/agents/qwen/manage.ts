/** Signing in, and which models there are. */
import { tmpdir } from "node:os";
import { openStreamJson } from "../../drivers/stream-json/index.ts";
import { list, record, text } from "../../drivers/stream-json/read.ts";
import type { AgentContext, AgentManagement, ModelInfo } from "../contract.ts";
import { commandOf } from "./command.ts";
import { initialize } from "./initialize.ts";
import { environmentOf } from "./launch.ts";

export function management(context: AgentContext): AgentManagement {
  return {
    // Its own screen: there it asks, or `/auth` does. There is no way out but to change its settings.
    login: async () => {
      const { path, args } = commandOf(context.env);
      return { command: path, args };
    },
    models: () => askModels(context),
  };
}

/** Those in its settings; a service of one's own is not asked for a list. No model is asked and nothing is written down. */
async function askModels(context: AgentContext): Promise<readonly ModelInfo[]> {
  const { path, args } = commandOf(context.env);
  const child = await context.processes.launch({
    command: path,
    args: [...args, "--input-format", "stream-json", "--output-format", "stream-json", "--approval-mode", "default"],
    cwd: tmpdir(),
    env: environmentOf(context.env),
    agent: "qwen",
    stdin: "pipe",
  });
  try {
    const stream = openStreamJson({
      child,
      name: "Qwen Code",
      agent: "qwen",
      requestMs: context.deadlines.request,
      drainMs: context.deadlines.drain,
      translate: () => [],
      onRequest: () => [],
      onWithdrawn: () => [],
      onExit: () => [],
    });
    const starting = { startFailure: undefined, onlyGarbage: false };
    await initialize(stream, context.deadlines.start, () => starting);
    const answer = await stream.readUntil(stream.request("get_available_models"));
    return modelsOf(list(record(answer)["models"]));
  } finally {
    await child.stop({ politely: true });
  }
}

function modelsOf(models: readonly unknown[]): ModelInfo[] {
  return models.flatMap((item) => {
    const { id, label, description } = record(item);
    return typeof id === "string" ? [{ id, label: text(label), description: text(description) }] : [];
  });
}
