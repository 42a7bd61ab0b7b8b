/** Signing in and out, and which models there are. */
import { tmpdir } from "node:os";
import { openStreamJson } from "../../drivers/stream-json/index.ts";
import type { AgentContext, AgentManagement, ModelInfo } from "../contract.ts";
import { commandOf } from "../shared/program.ts";
import { program } from "./program.ts";
import { initialize } from "./initialize.ts";
import { environmentOf } from "./launch.ts";
import { list, record, text } from "../../drivers/stream-json/read.ts";

export function management(context: AgentContext): AgentManagement {
  const command = (...args: string[]) => {
    const { path, args: first } = commandOf(program, context.env);
    return { command: path, args: [...first, ...args] };
  };
  return {
    login: async () => command("auth", "login"),
    logout: async () => command("auth", "logout"),
    models: () => askModels(context),
  };
}

/** The program knows them when it starts; no model is asked and nothing is written down. */
async function askModels(context: AgentContext): Promise<readonly ModelInfo[]> {
  const { path, args } = commandOf(program, context.env);
  const child = await context.processes.launch({
    command: path,
    args: [
      ...args,
      "-p",
      "--input-format",
      "stream-json",
      "--output-format",
      "stream-json",
      "--verbose",
      "--no-session-persistence",
    ],
    cwd: tmpdir(),
    env: environmentOf(context.env),
    agent: "claude",
    stdin: "pipe",
  });
  try {
    const stream = openStreamJson({
      child,
      name: "Claude Code",
      agent: "claude",
      requestMs: context.deadlines.request,
      drainMs: context.deadlines.drain,
      translate: () => [],
      onRequest: () => [],
      onWithdrawn: () => [],
      onExit: () => [],
    });
    return modelsOf(list((await initialize(stream, context.deadlines.start))["models"]));
  } finally {
    await child.stop({ politely: true });
  }
}

function modelsOf(models: readonly unknown[]): ModelInfo[] {
  return models.flatMap((item) => {
    const model = record(item);
    const id = text(model["value"]);
    if (id === undefined) return [];
    return [
      {
        id,
        label: text(model["displayName"]),
        description: text(model["description"]),
        default: id === "default" ? true : undefined,
      },
    ];
  });
}
