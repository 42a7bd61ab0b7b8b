import { tmpdir } from "node:os";
import { join } from "node:path";
import { openJsonRpc } from "../../protocols/json-rpc/index.ts";
import { list, parseJson, record, records, text, texts, type JsonObject } from "../../protocols/json.ts";
import type { AgentContext, AgentManagement, McpServerInfo, ModelInfo } from "../contract.ts";
import { commandsOf, runProgram } from "../shared/program/program-commands.ts";
import { requireProgram } from "../shared/program/program.ts";
import { withoutQuery } from "../shared/program/safe-address.ts";
import { history } from "./history.ts";
import { initialize, serverArguments } from "./launch.ts";
import { codexHome, environmentOf, program } from "./program.ts";

export function management(context: AgentContext): AgentManagement {
  const command = commandsOf(program, context);
  const home = codexHome(context.env);
  return {
    login: async () => ({ ...command("login"), withoutBrowser }),
    logout: async () => command("logout"),
    update: async () => command("update"),
    interface: async () => command(),
    about: async () => [
      { label: "protocol", value: "its app server, JSON-RPC on its standard input and output" },
      { label: "settings", value: join(home, "config.toml") },
      { label: "sessions", value: join(home, "sessions") },
    ],
    models: () => listModels(context),
    history: history(home),
    mcp: {
      list: async () => {
        const env = await environmentOf(context.env);
        return mcpServersIn((await runProgram(program, context, ["mcp", "list", "--json"], { env })).stdout);
      },
      login: async (name) => command("mcp", "login", name),
    },
    instead: {
      verify: "Run `codex login status`, or send a short prompt.",
      "mcp.enable": "Set `enabled = true` for it in config.toml, or add it with `codex mcp add`.",
      "mcp.disable": "Set `enabled = false` for it in config.toml, or remove it with `codex mcp remove`.",
    },
  };
}

const withoutBrowser =
  "Run `codex login --device-auth` and open the address it shows on any machine; or hand it a key: `codex login --with-api-key` reads one from its standard input.";

/** Parses the output of `codex mcp list --json`. */
export function mcpServersIn(json: string): McpServerInfo[] {
  return list(parseJson(json)).flatMap((item) => {
    const { name, enabled, disabled_reason: reason, transport, auth_status: auth } = record(item);
    const called = text(name);
    if (called === undefined) return [];
    const how = record(transport);
    const type = text(how["type"]);
    const kind = type === "stdio" ? type : type?.includes("http") === true ? "http" : undefined;
    const detail = text(reason) ?? text(auth)?.replaceAll("_", " ");
    const status = enabled === false ? "disabled" : auth === "not_logged_in" ? "needs_login" : "unknown";
    return [{ name: called, target: targetOf(how), transport: kind, status, detail }];
  });
}

function targetOf(how: JsonObject): string | undefined {
  const url = text(how["url"]);
  if (url !== undefined) return withoutQuery(url);
  const command = text(how["command"]);
  return command === undefined ? undefined : [command, ...texts(how["args"])].join(" ");
}

/** The models that the app server lists, without a model request and without saving a conversation. */
export async function listModels(context: AgentContext): Promise<readonly ModelInfo[]> {
  const { path, args } = await requireProgram(program, context.env);
  const env = await environmentOf(context.env);
  const spec = { command: path, args: [...args, ...serverArguments()], cwd: tmpdir(), env, agent: program.id };
  const child = await context.processes.launch({ ...spec, stdin: "pipe" });
  try {
    const { request: requestMs, drain: drainMs } = context.deadlines;
    const options = { child, name: program.name, agent: program.id, requestMs, drainMs, versioned: false };
    const rpc = openJsonRpc({ ...options, onNotification: () => {}, onRequest: () => {}, onExit: () => {} });
    await initialize(rpc, context.deadlines.start);
    const [models, config] = await rpc.readUntil(
      Promise.all([rpc.request("model/list", {}), rpc.request("config/read", {}).catch(() => undefined)]),
    );
    return modelsIn(record(models)["data"], text(record(record(config)["config"])["model"]));
  } finally {
    await child.stop({ politely: false });
  }
}

/** `current` is the model in the user's settings. */
export function modelsIn(data: unknown, current: string | undefined): ModelInfo[] {
  return list(data).flatMap((item) => {
    const model = record(item);
    const id = text(model["model"]) ?? text(model["id"]);
    if (id === undefined || model["hidden"] === true) return [];
    const efforts = records(model["supportedReasoningEfforts"]).flatMap((one) => text(one["reasoningEffort"]) ?? []);
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
