/** From a fresh process to a session that takes prompts. */
import { ReinsError, toReinsError } from "../../events/errors.ts";
import type { ErrorCode } from "../../events/errors.ts";
import { goneOf, refusalOf, rpcErrors } from "../json-rpc/index.ts";
import type { JsonRpc } from "../json-rpc/index.ts";
import { waysToResume } from "./capabilities.ts";
import { errorInfoOf, failureOf, saidBy, signInHelpOf } from "./failures.ts";
import { number, record, records, text } from "./read.ts";
import type { Wire } from "./read.ts";
import { serversFor } from "./servers.ts";
import type { Translator } from "./translate.ts";
import type { AcpOptions } from "./types.ts";

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
  readonly capabilities: Wire;
  readonly version: string | undefined;
  /** What was asked for and it does not take, one sentence each. */
  readonly divergences: readonly string[];
}

export class Handshake {
  readonly #rpc: JsonRpc;
  readonly #options: AcpOptions;
  readonly #translator: Translator;
  #authMethods: readonly Wire[] = [];

  constructor(rpc: JsonRpc, options: AcpOptions, translator: Translator) {
    this.#rpc = rpc;
    this.#options = options;
    this.#translator = translator;
  }

  async open(): Promise<Opened> {
    const hello = await this.#initialize();
    const capabilities = record(hello["agentCapabilities"]);
    this.#authMethods = records(hello["authMethods"]);
    const { servers, divergences } = serversFor(this.#options, capabilities);
    const params: Wire = { cwd: this.#options.cwd, mcpServers: servers.mcpServers, ...servers.directories };
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
    return { sessionId, capabilities, version: text(record(hello["agentInfo"])["version"]), divergences };
  }

  async #initialize(): Promise<Wire> {
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
  async #resume(sessionId: string, capabilities: Wire, params: Wire): Promise<Wire> {
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

  async #signedIn(method: string, params: Wire): Promise<Wire> {
    const answer = await this.#ask(method, params).catch((error: unknown) => this.#signIn(error));
    if (answer !== undefined) return answer;
    return this.#ask(method, params).catch((error: unknown) => {
      throw this.#explained(error);
    });
  }

  /** Where that is what is missing, and needs no person; else the error stands. */
  async #signIn(error: unknown): Promise<undefined> {
    const refusal = refusalOf(error);
    const required = refusal !== undefined && failureOf(refusal, this.#options).code === "not_authenticated";
    const methodId = required ? await this.#options.quirks.authMethod?.(this.#authMethods) : undefined;
    if (methodId === undefined) throw this.#explained(error);
    await this.#ask("authenticate", { methodId }).catch((failed: unknown) => {
      throw this.#explained(failed, "not_authenticated");
    });
  }

  async #ask(method: string, params: Wire): Promise<Wire> {
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
    const { name, agent, quirks, resume } = this.#options;
    const failure = failureOf(refusal, { agent, quirks });
    // Whatever else it says of an earlier session: it does not have it.
    const lost = resume !== undefined && failure.code !== "not_authenticated" && resumes(refusal.method);
    const info = errorInfoOf(
      { ...failure, help: undefined, code: code ?? (lost ? "session_not_found" : failure.code) },
      { agent, quirks },
    );
    const help = info.code === "not_authenticated" ? (quirks.signInHelp ?? signInHelpOf(this.#authMethods)) : undefined;
    const what = lost ? "cannot go on with this session" : "did not begin a session";
    return new ReinsError(info.code, `${name} ${what}: ${saidBy(refusal)}`, {
      agent,
      help: help ?? info.help,
      cause: error,
    });
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
