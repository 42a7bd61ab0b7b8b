import { join } from "node:path";
import { list, number, record, text } from "../../protocols/json.ts";
import type { AgentContext, AgentManagement, ModelInfo } from "../contract.ts";
import { askProgram } from "../shared/program/ask-program.ts";
import { mcpServersIn } from "../shared/program/mcp-list.ts";
import { commandsOf, runProgram } from "../shared/program/program-commands.ts";
import { history } from "./history.ts";
import { environmentOf, homeOf } from "./launch.ts";
import { program } from "./program.ts";
import { initialize } from "./session.ts";

export function management(context: AgentContext): AgentManagement {
  const command = commandsOf(program, context);
  const home = homeOf(context.env);
  return {
    // Opens the program's own screen, because `qwen auth` no longer exists.
    login: async () => ({ ...command("-i", "/auth"), withoutBrowser }),
    update: async () => command("update"),
    interface: async () => command(),
    about: async () => [
      { label: "protocol", value: "stream-json on its standard input and output, and its hooks on loopback" },
      { label: "settings", value: join(home, "settings.json") },
      { label: "sessions", value: join(context.env["QWEN_RUNTIME_DIR"] || home, "projects") },
    ],
    models: () => askModels(context),
    history: history(context.env["QWEN_RUNTIME_DIR"] || home),
    mcp: {
      list: async () => {
        const { stdout } = await runProgram(program, context, ["mcp", "list"], { env: environmentOf(context.env) });
        return mcpServersIn(stdout, mcpLine);
      },
    },
    instead: {
      logout: `Remove the key from the environment, or \`security.auth\` and \`modelProviders\` out of ${join(home, "settings.json")}.`,
      verify: "Send a short prompt, or open `qwen` and use /doctor there.",
      "mcp.enable": "Open `qwen` and use /mcp there, or add it with `qwen mcp add`.",
      "mcp.disable": "Open `qwen` and use /mcp there, or remove it with `qwen mcp remove`.",
      "mcp.login": "Open `qwen` and use /mcp there.",
    },
  };
}

const withoutBrowser =
  "Choose an API key in its /auth, or set OPENAI_API_KEY, OPENAI_BASE_URL and OPENAI_MODEL (BAILIAN_CODING_PLAN_API_KEY for a coding plan).";

/** The models in its settings, without a request to a service or a model. */
function askModels(context: AgentContext): Promise<readonly ModelInfo[]> {
  const args = ["--input-format", "stream-json", "--output-format", "stream-json", "--approval-mode", "default"];
  return askProgram(program, context, { args, env: environmentOf(context.env) }, async (stream) => {
    await initialize(stream, context.deadlines.start);
    const answer = await stream.readUntil(stream.request("get_available_models"));
    return modelsOf(list(record(answer)["models"]), context.env["OPENAI_MODEL"]);
  });
}

export function modelsOf(models: readonly unknown[], current: string | undefined): ModelInfo[] {
  return models.flatMap((item) => {
    const { id, label, description, contextWindowSize } = record(item);
    if (typeof id !== "string") return [];
    const inUse = id === current ? { current: true } : {};
    const contextSize = number(contextWindowSize);
    return [{ id, label: text(label), description: text(description), contextSize, ...inUse }];
  });
}

/** A line of `qwen mcp list`: "✗ name: target (stdio) - Disconnected (timed out after 10000ms)", in colours. */
export const mcpLine = /^\S+ (?<name>.+?): (?<target>.*?) +\((?<transport>stdio|http|sse)\) - (?<said>.+)$/u;
