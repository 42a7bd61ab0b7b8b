/**
 * Session options in OpenCode's terms: command line, configuration, prompts, and the first exchange with the server. No
 * file of the user is changed.
 */
import { pathToFileURL } from "node:url";
import { ReinsError } from "../../events/errors.ts";
import type { Child } from "../../process/types.ts";
import { within } from "../../process/stop/stop.ts";
import { refusalOf, type JsonRpc } from "../../protocols/json-rpc/index.ts";
import { isRecord, list, parseJson, record, records, text, type JsonObject } from "../../protocols/json.ts";
import type { McpServer, OpenOptions, PromptInput } from "../contract.ts";
import { attachedTo } from "../shared/program/attachments.ts";
import { words } from "../shared/words.ts";
import { explained, failures, notHeld } from "./failures.ts";
import { planFilesOf } from "./plan-file.ts";
import { Catalog, invalid, nameOf, type OwnModel } from "./program.ts";

export interface LaunchFiles {
  readonly plugin: string;
  readonly systemPrompt?: string | undefined;
}

/** With these arguments the server would not load the plugin, or others could reach it. */
const refused: ReadonlySet<string> = new Set(
  words("--pure --port --hostname --mdns --mdns-domain --cors --help -h --version -v"),
);

/** Port 0 means 4096 if that is free, otherwise any port. */
export function argumentsOf({ extraArgs = [] }: OpenOptions): string[] {
  const wrong = extraArgs.find((argument) => refused.has(argument.split("=", 1)[0]!));
  if (wrong !== undefined) throw invalid(`Reins does not pass the argument ${wrong} to OpenCode.`, "Leave it out.");
  return ["serve", "--hostname", "127.0.0.1", "--port", "0", ...extraArgs];
}

/** Removed from the environment of programs that its tools start. */
export const hiddenVariables: readonly string[] = [
  "OPENCODE_SERVER_PASSWORD",
  "OPENCODE_CONFIG_CONTENT",
  "npm_config_fetch_retries",
];

export function serverEnvironment(password: string, config: string): Record<string, string> {
  return {
    OPENCODE_SERVER_PASSWORD: password,
    OPENCODE_CONFIG_CONTENT: config,
    // The tools for questions and for leaving plan mode exist for this client only.
    OPENCODE_CLIENT: "cli",
    OPENCODE_EXPERIMENTAL_PLAN_MODE: "1",
    OPENCODE_EXPERIMENTAL_BACKGROUND_SUBAGENTS: "1",
    // With a plugin, OpenCode first looks for its plugin library; without a network it would retry for 70 seconds.
    npm_config_fetch_retries: "0",
  };
}

/** Adds to the user's own value of the variable. */
export function configOf(given: string | undefined, files: LaunchFiles): string {
  const own = parsed(given);
  const plugin = [...list(own["plugin"]), pathToFileURL(files.plugin).href];
  if (files.systemPrompt === undefined) return JSON.stringify({ ...own, plugin });
  // OpenCode reads the file itself, so that nothing in the prompt is taken for one of its references.
  const prompt = `{file:${files.systemPrompt}}`;
  const agents = record(own["agent"]);
  const [build, plan] = ["build", "plan"].map((name) => ({ ...record(agents[name]), prompt }));
  return JSON.stringify({ ...own, plugin, agent: { ...agents, build, plan } });
}

function parsed(given: string | undefined): JsonObject {
  if (given === undefined || given.trim() === "") return {};
  const config = parseJson(given);
  if (isRecord(config)) return config;
  throw invalid("OPENCODE_CONFIG_CONTENT is not a JSON object.", "Correct it, or put it into a file of OpenCode's.");
}

export function mcpConfigOf(server: McpServer): object {
  if ("command" in server) {
    const { command, args = [], env } = server;
    return { type: "local", command: [command, ...args], ...(env === undefined ? {} : { environment: env }) };
  }
  const { url, headers } = server;
  return { type: "remote", url, ...(headers === undefined ? {} : { headers }) };
}

/** Sends files as text: OpenCode would read them with its own tool, bypassing its rules and Reins. */
export async function partsOf(input: PromptInput, cwd: string, maxBytes: number): Promise<object[]> {
  const { texts, images } = await attachedTo(input, cwd, maxBytes);
  const said = [...texts, input.text].filter((text) => text.trim() !== "");
  return [
    ...images.map(({ mediaType, data }, index) => ({
      type: "file",
      mime: mediaType,
      filename: `image-${index + 1}.${mediaType.split("/")[1]}`,
      url: `data:${mediaType};base64,${data}`,
    })),
    ...said.map((text) => ({ type: "text", text })),
  ];
}

/** OpenCode remembers none of these options, so every prompt sends them. */
export function promptBody(
  parts: readonly object[],
  agent: string,
  model: OwnModel | undefined,
  systemPrompt: OpenOptions["systemPrompt"],
): object {
  const { providerID, modelID, variant } = model ?? {};
  return {
    parts,
    agent,
    ...(providerID === undefined ? {} : { model: { providerID, modelID } }),
    ...(variant === undefined ? {} : { variant }),
    ...(systemPrompt?.how === "append" ? { system: systemPrompt.text } : {}),
  };
}

export interface Opened {
  readonly conversation: JsonObject;
  readonly catalog: Catalog;
  readonly model: OwnModel | undefined;
  readonly configured: string | undefined;
  /** The OpenCode agent that works outside plan mode. */
  readonly worker: string;
  readonly servers: ReadonlySet<string>;
  readonly planFiles: readonly string[];
  readonly notices: readonly string[];
  readonly version: string | undefined;
}

export interface Server {
  /** Its lines are JSON-RPC; requests to it go over HTTP. */
  readonly child: Child;
  /** The address, once the server listens. */
  readonly url: Promise<string>;
  readonly gone: Promise<never>;
}

interface Start extends Omit<Server, "child"> {
  readonly rpc: JsonRpc;
  /** Resolves when the plugin reports that it is loaded. */
  readonly held: Promise<void>;
  /** How long after the server's own answer that report may come, because it uses another channel. */
  readonly heldMs: number;
  readonly deadlineMs: number;
}

export async function initialize(start: Start, options: OpenOptions, resume: string | undefined): Promise<Opened> {
  try {
    return await start.rpc.readUntil(opening(start, options, resume));
  } catch (error) {
    throw explained(error);
  }
}

export async function connect({ rpc, url, gone, deadlineMs }: Omit<Start, "held" | "heldMs">): Promise<Ask> {
  if (!(await within(deadlineMs, Promise.race([url, gone])))) {
    const message = `OpenCode did not print its address within ${deadlineMs} ms.`;
    throw new ReinsError("agent_hung", message, { agent: "opencode" });
  }
  await rpc.notify("http/connect", { url: await url });
  return (method, params) => rpc.request(method, params, { deadlineMs });
}

async function opening(start: Start, options: OpenOptions, resume: string | undefined): Promise<Opened> {
  const ask = await connect(start);
  const agents = records(await ask("GET /agent"));
  if (!(await within(start.heldMs, Promise.race([start.held, start.gone])))) throw notHeld();
  const [config, providers, health, paths] = await Promise.all([
    ask("GET /config"),
    ask("GET /config/providers"),
    ask("GET /global/health"),
    ask("GET /path"),
  ]);
  const catalog = new Catalog(providers);
  const model = options.model === undefined ? undefined : requireModel(catalog, options.model);
  const { servers, notices } = await addServers(ask, options);
  const conversation = record(await conversationOf(ask, resume, options.fork === true));
  const planner = agents.find(({ name }) => name === "plan");
  return {
    conversation,
    catalog,
    model,
    configured: text(record(config)["model"]),
    worker: workerOf(agents, text(record(config)["default_agent"])),
    servers,
    planFiles: planFilesOf(conversation, text(record(paths)["worktree"]), planner),
    notices,
    version: text(record(health)["version"]),
  };
}

export function requireModel(catalog: Catalog, name: string): OwnModel {
  const found = catalog.find(name);
  if (found !== undefined) return found;
  const said = `OpenCode has no model ${name}, or several of that name.`;
  const { code, message, help } = failures.info("model_unknown", said);
  throw new ReinsError(code, message, { agent: "opencode", help: `${help} Name it with its service.` });
}

export const shownModel = (model: OwnModel): string =>
  model.variant === undefined ? nameOf(model) : `${nameOf(model)}:${model.variant}`;

export type Ask = (method: string, params?: object) => Promise<unknown>;

async function conversationOf(ask: Ask, resume: string | undefined, fork: boolean): Promise<unknown> {
  if (resume === undefined) return ask("POST /session", {});
  try {
    return await (fork ? ask(`POST /session/${resume}/fork`, {}) : ask(`GET /session/${resume}`));
  } catch (error) {
    if (refusalOf(error)?.code !== 404) throw error;
    const message = "OpenCode does not know this conversation; it may have been deleted.";
    const help = "Start a new session.";
    throw new ReinsError("session_not_found", message, { agent: "opencode", help, cause: error });
  }
}

async function addServers(ask: Ask, options: OpenOptions): Promise<Pick<Opened, "servers" | "notices">> {
  const notices: string[] = [];
  for (const [name, server] of Object.entries(options.mcpServers ?? {})) {
    const { status, error } = record(record(await ask("POST /mcp", { name, config: mcpConfigOf(server) }))[name]);
    if (status !== "connected")
      notices.push(`The MCP server ${name} is ${String(status)}: ${text(error) ?? "it did not say why"}.`);
  }
  return { servers: new Set(Object.keys(record(await ask("GET /mcp")))), notices };
}

/** The user's choice, else the usual one, else the first agent that can lead a conversation. */
function workerOf(agents: readonly JsonObject[], chosen: string | undefined): string {
  const leaders = agents.filter(({ mode, hidden }) => mode !== "subagent" && hidden !== true);
  const names = leaders.flatMap(({ name }) => text(name) ?? []).filter((name) => name !== "plan");
  return [chosen, "build"].find((name) => name !== undefined && names.includes(name)) ?? names[0] ?? "build";
}
