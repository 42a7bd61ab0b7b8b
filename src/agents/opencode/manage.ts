import { join } from "node:path";
import { record, text, texts, type JsonObject } from "../../protocols/json.ts";
import type { AgentContext, AgentManagement, McpServerInfo } from "../contract.ts";
import { commandsOf } from "../shared/program/program-commands.ts";
import { withoutQuery } from "../shared/program/safe-address.ts";
import { history } from "./history.ts";
import { Catalog, dataFolder, program, settingsFolder } from "./program.ts";
import { askServer } from "./server.ts";

const inSettings = "Set `enabled` of the server in opencode.json.";

export function management(context: AgentContext): AgentManagement {
  const command = commandsOf(program, context);
  const { env } = context;
  const settings = settingsFolder(env);
  const database = env["OPENCODE_DB"] || join(dataFolder(env), "opencode.db");
  return {
    login: async () => ({
      ...command("auth", "login"),
      withoutBrowser: "Choose a service that takes a key, or set its variable, such as ANTHROPIC_API_KEY.",
    }),
    logout: async () => command("auth", "logout"),
    update: async () => command("upgrade"),
    interface: async () => command(),
    about: async () => [
      { label: "settings", value: env["OPENCODE_CONFIG"] || join(settings, "opencode.json") },
      { label: "agents, commands and plugins", value: env["OPENCODE_CONFIG_DIR"] || settings },
      { label: "conversations", value: database },
      { label: "log", value: join(dataFolder(env), "log", "opencode.log") },
    ],
    models: () =>
      askServer(context, async (ask) => {
        const [config, providers] = await Promise.all([ask("GET /config"), ask("GET /config/providers")]);
        return new Catalog(providers).list(text(record(config)["model"]));
      }),
    history: history(database),
    mcp: {
      list: () =>
        askServer(context, async (ask) => {
          const [config, status] = await Promise.all([ask("GET /config"), ask("GET /mcp")]);
          return serversOf(record(record(config)["mcp"]), record(status));
        }),
      login: async (name) => ({
        ...command("mcp", "auth", name),
        withoutBrowser: "Open the address it prints in a browser that can reach this machine.",
      }),
    },
    instead: {
      verify: "Send it a short prompt: OpenCode has no command that tests a key.",
      "mcp.enable": inSettings,
      "mcp.disable": inSettings,
    },
  };
}

const statuses: Readonly<Record<string, McpServerInfo["status"]>> = {
  connected: "connected",
  disabled: "disabled",
  failed: "failed",
  needs_auth: "needs_login",
  needs_client_registration: "needs_login",
};

export function serversOf(configured: JsonObject, told: JsonObject): McpServerInfo[] {
  return Object.entries(told).map(([name, value]): McpServerInfo => {
    const { status, error } = record(value);
    const { type, command, url } = record(configured[name]);
    const local = type === "local";
    return {
      name,
      target: local ? texts(command).join(" ") : withoutQuery(text(url) ?? ""),
      transport: local ? "stdio" : type === "remote" ? "http" : undefined,
      status: statuses[String(status)] ?? "unknown",
      detail: text(error),
    };
  });
}
