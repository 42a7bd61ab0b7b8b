/** From a fresh process to a session that takes prompts. */
import { ReinsError, toReinsError } from "../../events/errors.ts";
import type { ErrorCode, ErrorInfo } from "../../events/errors.ts";
import { goneOf, refusalOf, rpcErrors } from "../json-rpc/index.ts";
import type { JsonRpc, RpcError } from "../json-rpc/index.ts";
import { number, record, records, text } from "../json.ts";
import type { JsonObject } from "../json.ts";
import { factsOf, saidBy, signInHelpOf } from "./failures.ts";
import { offers, waysToResume } from "./settings.ts";
import type { Translator } from "./translate.ts";
import type { AcpListed, AcpMcpServer, AcpOptions } from "./types.ts";

const protocolVersion = 1;

/**
 * No files and no terminals of ours are offered: an agent then uses its own tools, which it reports and asks for, and the newer
 * version of the protocol has them no more.
 */
const clientCapabilities = {
  fs: { readTextFile: false, writeTextFile: false },
  terminal: false,
  elicitation: { form: {} },
};

const notSpoken = "Check that this command speaks ACP on its standard input and output.";

export interface Opened {
  readonly sessionId: string;
  readonly capabilities: JsonObject;
  readonly version: string | undefined;
  /** Options that the agent does not take, one sentence each. */
  readonly divergences: readonly string[];
}

export class Handshake {
  readonly #rpc: JsonRpc;
  readonly #options: AcpOptions;
  readonly #translator: Translator;
  #authMethods: readonly JsonObject[] = [];

  constructor(rpc: JsonRpc, options: AcpOptions, translator: Translator) {
    this.#rpc = rpc;
    this.#options = options;
    this.#translator = translator;
  }

  async open(): Promise<Opened> {
    const hello = await this.#initialize();
    const version = text(record(hello["agentInfo"])["version"]);
    this.#options.checkVersion?.(version);
    const capabilities = record(hello["agentCapabilities"]);
    this.#authMethods = records(hello["authMethods"]);
    const { servers, divergences } = serversFor(this.#options, capabilities);
    const params: JsonObject = { cwd: this.#options.cwd, mcpServers: servers.mcpServers, ...servers.directories };
    const meta = this.#options.quirks.sessionMeta;
    const { resume } = this.#options;
    const asked = meta === undefined ? params : { ...params, _meta: meta };
    const answer =
      resume === undefined
        ? await this.#signedIn("session/new", asked)
        : await this.#resume(resume, capabilities, asked);
    const sessionId = resume ?? text(answer["sessionId"]);
    if (sessionId === undefined) throw this.#refused("protocol_error", "began a session without an id");
    this.#translator.facts.settings.opened(answer);
    return { sessionId, capabilities, version, divergences };
  }

  async #initialize(): Promise<JsonObject> {
    const clientInfo = { name: "reins", title: "Reins", version: "1" };
    const capabilities = { ...clientCapabilities, ...this.#options.quirks.clientCapabilities };
    const params = { protocolVersion, clientCapabilities: capabilities, clientInfo };
    const hello = await this.#ask("initialize", params).catch((error: unknown) => {
      const { code, message, cause } = toReinsError(error);
      throw new ReinsError(code, message, { agent: this.#options.agent, cause, help: notSpoken });
    });
    const version = number(hello["protocolVersion"]);
    if (version === protocolVersion) return hello;
    throw this.#refused(
      "version_unsupported",
      `speaks version ${version ?? "unknown"} of ACP, and Reins speaks ${protocolVersion}`,
    );
  }

  /** Without telling the earlier conversation again, where it can. */
  async #resume(sessionId: string, capabilities: JsonObject, params: JsonObject): Promise<JsonObject> {
    const [method, other] = waysToResume(capabilities);
    if (method === undefined) throw this.#refused("unsupported", "cannot go on with an earlier session");
    const answer = await this.#signedIn(method, { sessionId, ...params }).catch((error: unknown) => {
      // Some say that they have it and do not.
      if (other === undefined || refusalOf(toReinsError(error).cause)?.code !== rpcErrors.methodNotFound) throw error;
      return this.#signedIn(other, { sessionId, ...params });
    });
    if (this.#options.quirks.replaysLate === true) await this.#told();
    return answer;
  }

  /**
   * Until nothing of the earlier conversation came between a question and its answer. What is asked does not matter, only that
   * it is answered after what was said before.
   */
  async #told(): Promise<void> {
    for (let before = -1; before !== this.#translator.replayed;) {
      before = this.#translator.replayed;
      await this.#rpc.readUntil(this.#rpc.request("_reins/told", {}).catch(() => {}));
    }
    this.#translator.replaying = false;
  }

  async #signedIn(method: string, params: JsonObject): Promise<JsonObject> {
    const answer = await this.#ask(method, params).catch((error: unknown) => this.#signIn(error));
    if (answer !== undefined) return answer;
    return this.#ask(method, params).catch((error: unknown) => {
      throw this.#explained(error);
    });
  }

  /** Where that is what is missing, and needs no person; else the error stands. */
  async #signIn(error: unknown): Promise<undefined> {
    const refusal = refusalOf(error);
    const required = refusal !== undefined && this.#classified(refusal).code === "not_authenticated";
    const methodId = required ? await this.#options.quirks.authMethod?.(this.#authMethods) : undefined;
    if (methodId === undefined) throw this.#explained(error);
    await this.#ask("authenticate", { methodId }).catch((failed: unknown) => {
      throw this.#explained(failed, "not_authenticated");
    });
  }

  async #ask(method: string, params: JsonObject): Promise<JsonObject> {
    const { start } = this.#options.deadlines;
    const replays = resumes(method);
    this.#translator.replaying = replays;
    const onAnswer = () => void (this.#translator.replaying = replays && this.#options.quirks.replaysLate === true);
    return record(await this.#rpc.readUntil(this.#rpc.request(method, params, { deadlineMs: start, onAnswer })));
  }

  /** A refusal as what it means here. */
  #explained(error: unknown, code?: ErrorCode): unknown {
    const refusal = refusalOf(error);
    if (refusal === undefined || goneOf(error) !== undefined) return error;
    const { name, agent, quirks, resume, failures } = this.#options;
    const failure = this.#classified(refusal);
    // Whatever else it says of an earlier session: it does not have it.
    const lost = resume !== undefined && failure.code !== "not_authenticated" && resumes(refusal.method);
    const info = failures.info(code ?? (lost ? "session_not_found" : failure.code), failure.message);
    const help = info.code === "not_authenticated" ? (quirks.signInHelp ?? signInHelpOf(this.#authMethods)) : undefined;
    const what = lost ? "cannot go on with this session" : "did not begin a session";
    return new ReinsError(info.code, `${name} ${what}: ${saidBy(refusal)}`, {
      agent,
      help: help ?? info.help,
      cause: error,
    });
  }

  #classified(refusal: RpcError): ErrorInfo {
    return this.#options.failures.error(factsOf(refusal, this.#options));
  }

  #refused(code: ErrorCode, what: string): ReinsError {
    const { name, agent } = this.#options;
    return new ReinsError(code, `${name} ${what}.`, { agent });
  }
}

/** It may tell the earlier conversation again before it answers. */
function resumes(method: string): boolean {
  return method === "session/load" || method === "session/resume";
}

/** An agent whose pages never end is not followed for ever. */
const mostPages = 50;

export async function listSessions(ask: (params: JsonObject) => Promise<unknown>, cwd: string): Promise<AcpListed[]> {
  const listed: AcpListed[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < mostPages; page++) {
    const answer = record(await ask(cursor === undefined ? { cwd } : { cwd, cursor }));
    listed.push(...records(answer["sessions"]).flatMap(sessionOf));
    cursor = text(answer["nextCursor"]);
    if (cursor === undefined) break;
  }
  return listed;
}

function sessionOf(session: JsonObject): AcpListed[] {
  const sessionId = text(session["sessionId"]);
  if (sessionId === undefined) return [];
  const { cwd, title, updatedAt } = session;
  return [{ sessionId, cwd: text(cwd), title: text(title), updatedAt: text(updatedAt) }];
}

export interface Servers {
  readonly mcpServers: readonly JsonObject[];
  readonly directories: JsonObject;
}

/** Every agent takes servers it starts itself; the others only those that say so. */
export function serversFor(
  { name, mcpServers = {}, directories = [] }: Pick<AcpOptions, "name" | "mcpServers" | "directories">,
  capabilities: JsonObject,
): { servers: Servers; divergences: string[] } {
  const taken = record(capabilities["mcpCapabilities"]);
  const takesDirectories = offers(capabilities, "additionalDirectories");
  const divergences: string[] = [];
  const servers: JsonObject[] = [];
  for (const [server, how] of Object.entries(mcpServers)) {
    if ("command" in how || taken[how.type] === true) servers.push(serverOf(server, how));
    else divergences.push(`${name} takes no MCP servers over ${how.type}; it goes on without ${server}.`);
  }
  if (directories.length > 0 && !takesDirectories)
    divergences.push(`${name} takes no further directories; it goes on without.`);
  const further = directories.length > 0 && takesDirectories ? { additionalDirectories: [...directories] } : {};
  return { servers: { mcpServers: servers, directories: further }, divergences };
}

function serverOf(name: string, server: AcpMcpServer): JsonObject {
  if ("command" in server) return { name, command: server.command, args: server.args ?? [], env: pairs(server.env) };
  return { type: server.type, name, url: server.url, headers: pairs(server.headers) };
}

function pairs(values: Readonly<Record<string, string>> | undefined): JsonObject[] {
  return Object.entries(values ?? {}).map(([name, value]) => ({ name, value }));
}
