/** The models that its app server lists; no model is asked and nothing is written down. */
import { tmpdir } from "node:os";
import { openJsonRpc } from "../../drivers/json-rpc/index.ts";
import { list, record, text } from "../../drivers/stream-json/read.ts";
import type { AgentContext, ModelInfo } from "../contract.ts";
import { requireProgram } from "../shared/program.ts";
import { initialize } from "./initialize.ts";
import { environmentOf, serverArguments } from "./launch.ts";
import { program } from "./program.ts";

export async function listModels(context: AgentContext): Promise<readonly ModelInfo[]> {
  const { path, args } = await requireProgram(program, context.env);
  const env = await environmentOf(context.env);
  const spec = { command: path, args: [...args, ...serverArguments()], cwd: tmpdir(), env, agent: program.id };
  const child = await context.processes.launch({ ...spec, stdin: "pipe" });
  try {
    const { request, drain: drainMs } = context.deadlines;
    const rpc = openJsonRpc({
      child,
      name: program.name,
      agent: program.id,
      requestMs: request,
      drainMs,
      versioned: false,
      onNotification: () => {},
      onRequest: () => {},
      onExit: () => {},
    });
    await initialize(rpc, context.deadlines.start);
    const [models, config] = await rpc.readUntil(
      Promise.all([rpc.request("model/list", {}), rpc.request("config/read", {}).catch(() => undefined)]),
    );
    return modelsIn(record(models)["data"], text(record(record(config)["config"])["model"]));
  } finally {
    await child.stop({ politely: false });
  }
}

/** `current` is the one in the person's settings. */
export function modelsIn(data: unknown, current: string | undefined): ModelInfo[] {
  return list(data).flatMap((item) => {
    const model = record(item);
    const id = text(model["model"]) ?? text(model["id"]);
    if (id === undefined || model["hidden"] === true) return [];
    const efforts = list(model["supportedReasoningEfforts"]).flatMap(
      (one) => text(record(one)["reasoningEffort"]) ?? [],
    );
    const isDefault = model["isDefault"] === true;
    return [
      {
        id,
        label: text(model["displayName"]),
        description: text(model["description"]),
        default: isDefault || undefined,
        current: (current === undefined ? isDefault : id === current) || undefined,
        provider: "openai",
        thinking: efforts.length > 0 ? efforts : undefined,
      },
    ];
  });
}
