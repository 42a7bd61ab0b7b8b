/** From the start of the server until it can take a prompt. */
import { refusalOf } from "../../drivers/json-rpc/index.ts";
import type { JsonRpc } from "../../drivers/json-rpc/index.ts";
import { isRecord, list, record, text } from "../../drivers/stream-json/read.ts";
import type { Wire } from "../../drivers/stream-json/read.ts";
import { ReinsError } from "../../events/errors.ts";
import { within } from "../../process/within.ts";
import type { OpenOptions } from "../contract.ts";
import { explained, notHeld } from "./errors-start.ts";
import { errorInfoOf } from "./errors.ts";
import { mcpConfigOf } from "./launch.ts";
import { Catalog, nameOf } from "./model-names.ts";
import type { OwnModel } from "./model-names.ts";
import { planFilesOf } from "./plan-file.ts";
import { unknownConversation } from "./state.ts";

export interface Opened {
  readonly conversation: Wire;
  readonly catalog: Catalog;
  readonly model: OwnModel | undefined;
  /** The model in its settings. */
  readonly configured: string | undefined;
  /** The agent of its own that works where nobody plans. */
  readonly worker: string;
  readonly servers: ReadonlySet<string>;
  /** Where the plan of this conversation would be. */
  readonly planFiles: readonly string[];
  readonly notices: readonly string[];
  readonly version: string | undefined;
}

export interface Start {
  readonly rpc: JsonRpc;
  readonly url: Promise<string>;
  /** Rejects when the process ends. */
  readonly gone: Promise<never>;
  /** Our plugin says that it is there. */
  readonly held: Promise<void>;
  /** How long after the server's own answer that may come: it is said on another way. */
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

/** It listens, and requests reach it. */
export async function connect({ rpc, url, gone, deadlineMs }: Omit<Start, "held" | "heldMs">): Promise<Ask> {
  const late = lateAfter(deadlineMs);
  const where = await Promise.race([url, late.promise, gone]).finally(late.clear);
  await rpc.notify("http/connect", { url: where });
  return (method, params) => rpc.request(method, params, { deadlineMs });
}

async function opening(start: Start, options: OpenOptions, resume: string | undefined): Promise<Opened> {
  const ask = await connect(start);
  const agents = list(await ask("GET /agent")).filter(isRecord);
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
  return {
    conversation,
    catalog,
    model,
    configured: text(record(config)["model"]),
    worker: workerOf(agents, text(record(config)["default_agent"])),
    servers,
    planFiles: planFilesOf(
      conversation,
      text(record(paths)["worktree"]),
      agents.find(({ name }) => name === "plan"),
    ),
    notices,
    version: text(record(health)["version"]),
  };
}

export function requireModel(catalog: Catalog, name: string): OwnModel {
  const found = catalog.find(name);
  if (found !== undefined) return found;
  const { message, help, ...info } = errorInfoOf(
    "model_unknown",
    `OpenCode has no model ${name}, or several of that name.`,
  );
  throw new ReinsError(info.code, message, { agent: "opencode", help: `${help} Name it with its service.` });
}

export const shownModel = (model: OwnModel): string =>
  model.variant === undefined ? nameOf(model) : `${nameOf(model)}:${model.variant}`;

export type Ask = (method: string, params?: object) => Promise<unknown>;

async function conversationOf(ask: Ask, resume: string | undefined, fork: boolean): Promise<unknown> {
  if (resume === undefined) return ask("POST /session", {});
  try {
    return await (fork ? ask(`POST /session/${resume}/fork`, {}) : ask(`GET /session/${resume}`));
  } catch (error) {
    if (refusalOf(error)?.code === 404) throw unknownConversation(error);
    throw error;
  }
}

/** Each is asked to connect at once; one that cannot is said. */
async function addServers(ask: Ask, options: OpenOptions): Promise<Pick<Opened, "servers" | "notices">> {
  const notices: string[] = [];
  for (const [name, server] of Object.entries(options.mcpServers ?? {})) {
    const { status, error } = record(record(await ask("POST /mcp", { name, config: mcpConfigOf(server) }))[name]);
    if (status !== "connected")
      notices.push(`The MCP server ${name} is ${String(status)}: ${text(error) ?? "it did not say why"}.`);
  }
  return { servers: new Set(Object.keys(record(await ask("GET /mcp")))), notices };
}

/** The person's choice, else its usual one, else the first that may lead a conversation. */
function workerOf(agents: readonly Wire[], chosen: string | undefined): string {
  const leaders = agents.filter(({ mode, hidden }) => mode !== "subagent" && hidden !== true);
  const names = leaders.flatMap(({ name }) => text(name) ?? []).filter((name) => name !== "plan");
  return [chosen, "build"].find((name) => name !== undefined && names.includes(name)) ?? names[0] ?? "build";
}

function lateAfter(ms: number): { promise: Promise<never>; clear: () => void } {
  const { promise, reject } = Promise.withResolvers<never>();
  const message = `OpenCode did not say within ${ms} ms where it listens.`;
  const timer = setTimeout(() => reject(new ReinsError("agent_hung", message, { agent: "opencode" })), ms);
  return { promise, clear: () => clearTimeout(timer) };
}
