/** The handshake: takes a newly started process to a session that accepts prompts. */
import { ReinsError, toReinsError, type ErrorCode, type ErrorInfo } from "../../events/errors.ts";
import { goneOf, refusalOf, rpcErrors, type JsonRpc, type RpcError } from "../json-rpc/index.ts";
import { number, record, records, text, type JsonObject } from "../json.ts";
import { factsOf, saidBy, signInHelpOf } from "./failures.ts";
import { offers, waysToResume } from "./settings.ts";
import type { Translator } from "./translate.ts";
import type { AcpMcpServer, AcpOptions } from "./types.ts";

const protocolVersion = 1;

/**
 * Reins offers the agent no file or terminal access through the client. The agent then uses its own tools, which it reports and asks
 * permission for. The newer version of the protocol no longer has these capabilities.
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
  /** Options that the agent does not accept, one sentence each. */
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
    const { resume, cwd, quirks } = this.#options;
    const { servers, divergences } = serversFor(this.#options, capabilities);
    const params: JsonObject = { cwd, ...servers, ...(quirks.sessionMeta && { _meta: quirks.sessionMeta }) };
    const answer =
      resume === undefined
        ? await this.#signedIn("session/new", params)
        : await this.#resume(resume, capabilities, params);
    const sessionId = resume ?? text(answer["sessionId"]);
    if (sessionId === undefined) throw this.#refused("protocol_error", "started a session without an id");
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
    const what = `speaks version ${version ?? "unknown"} of ACP, and Reins speaks ${protocolVersion}`;
    throw this.#refused("version_unsupported", what);
  }

  async #resume(sessionId: string, capabilities: JsonObject, params: JsonObject): Promise<JsonObject> {
    const [method, other] = waysToResume(capabilities);
    if (method === undefined) throw this.#refused("unsupported", "cannot resume sessions");
    const answer = await this.#signedIn(method, { sessionId, ...params }).catch((error: unknown) => {
      // Some agents announce a method that they do not implement.
      if (other === undefined || refusalOf(toReinsError(error).cause)?.code !== rpcErrors.methodNotFound) throw error;
      return this.#signedIn(other, { sessionId, ...params });
    });
    if (this.#options.quirks.replaysLate === true) await this.#replayed();
    return answer;
  }

  /**
   * Waits until no update of the earlier conversation arrives between a request and its answer. The agent's answer to the request does not
   * matter.
   */
  async #replayed(): Promise<void> {
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

  /** Signs in when the error asks for that and a method needs no person; otherwise throws the error. */
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

  #explained(error: unknown, code?: ErrorCode): unknown {
    const refusal = refusalOf(error);
    if (refusal === undefined || goneOf(error) !== undefined) return error;
    const { name, agent, quirks, resume, failures } = this.#options;
    const failure = this.#classified(refusal);
    // Any other refusal to resume means that the agent does not have the session.
    const lost = resume !== undefined && failure.code !== "not_authenticated" && resumes(refusal.method);
    const info = failures.info(code ?? (lost ? "session_not_found" : failure.code), failure.message);
    const help = info.code === "not_authenticated" ? (quirks.signInHelp ?? signInHelpOf(this.#authMethods)) : undefined;
    const what = lost ? "cannot resume this session" : "did not start a session";
    const message = `${name} ${what}: ${saidBy(refusal)}`;
    return new ReinsError(info.code, message, { agent, help: help ?? info.help, cause: error });
  }

  #classified(refusal: RpcError): ErrorInfo {
    return this.#options.failures.error(factsOf(refusal, this.#options));
  }

  #refused(code: ErrorCode, what: string): ReinsError {
    const { name, agent } = this.#options;
    return new ReinsError(code, `${name} ${what}.`, { agent });
  }
}

/** True for methods after which the agent may replay the earlier conversation before it answers. */
export function resumes(method: string): boolean {
  return method === "session/load" || method === "session/resume";
}

/** Every agent accepts MCP servers that it starts itself; other transports only when its capabilities list them. */
function serversFor(
  { name, mcpServers = {}, directories = [] }: AcpOptions,
  capabilities: JsonObject,
): { servers: JsonObject; divergences: string[] } {
  const accepted = record(capabilities["mcpCapabilities"]);
  const divergences: string[] = [];
  const servers: JsonObject[] = [];
  for (const [server, how] of Object.entries(mcpServers)) {
    if ("command" in how || accepted[how.type] === true) servers.push(serverOf(server, how));
    else divergences.push(`${name} does not support MCP servers over ${how.type}, so ${server} is left out.`);
  }
  if (directories.length > 0 && offers(capabilities, "additionalDirectories"))
    return { servers: { mcpServers: servers, additionalDirectories: [...directories] }, divergences };
  if (directories.length > 0)
    divergences.push(`${name} does not support additional directories, so this option is ignored.`);
  return { servers: { mcpServers: servers }, divergences };
}

function serverOf(name: string, server: AcpMcpServer): JsonObject {
  if ("command" in server) return { name, command: server.command, args: server.args ?? [], env: pairs(server.env) };
  return { type: server.type, name, url: server.url, headers: pairs(server.headers) };
}

function pairs(values: Readonly<Record<string, string>> | undefined): JsonObject[] {
  return Object.entries(values ?? {}).map(([name, value]) => ({ name, value }));
}
