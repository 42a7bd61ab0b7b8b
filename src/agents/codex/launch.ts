/**
 * Codex's command line, handshake, and settings of threads and turns. Settings go over the protocol, so that no secret
 * is a command-line argument.
 */
import { tmpdir } from "node:os";
import { ReinsError, toReinsError, type ErrorCode } from "../../events/errors.ts";
import type { Mode } from "../../events/modes.ts";
import { goneOf, refusalOf, type JsonRpc } from "../../protocols/json-rpc/index.ts";
import { record, text, type JsonObject } from "../../protocols/json.ts";
import type { AgentContext, HistoryMessage, McpServer, OpenOptions, PromptInput } from "../contract.ts";
import { attachedTo } from "../shared/program/attachments.ts";
import { requireVersion, unsupportedVersion, type Command } from "../shared/program/program.ts";
import { versionIn } from "../shared/program/version.ts";
import { words } from "../shared/words.ts";
import { failures } from "./failures.ts";
import { keyVariableIn, program, providerIn, readConfig } from "./program.ts";
import { unwanted } from "./translate-items.ts";

export function serverArguments(extraArgs: readonly string[] = []): string[] {
  const isUnheld = (argument: string) =>
    argument.startsWith("--dangerously-") || unheldArguments.includes(argument.split("=", 1)[0]!);
  const unheld = extraArgs.find(isUnheld);
  if (unheld === undefined) return ["app-server", ...extraArgs];
  throw new ReinsError("invalid_input", `Reins cannot control Codex's tools with the argument ${unheld}.`, {
    agent: program.id,
    help: "Leave it out, and choose a mode.",
  });
}

const usualRetries = 5;

/** How often Codex retries a broken stream. `answer` is the answer to `config/read`. */
export function streamRetriesIn(answer: unknown): number {
  const { model_provider: name, model_providers: providers } = record(record(answer)["config"]);
  const told = record(record(providers)[typeof name === "string" ? name : ""])["stream_max_retries"];
  return typeof told === "number" && told >= 0 ? told : usualRetries;
}

/**
 * An API key in the environment: `codex exec` reads it, the app server does not, and a login would write it to a file.
 * So when nobody is signed in, Reins gives the app server a model provider of its own: OpenAI, with the key from that
 * variable.
 */

/** Name of that model provider. A conversation remembers its provider. */
export const keyProvider = "reins-key";

/** Empty when a user is signed in: a subscription must not turn into a bill. */
export async function keyArguments(
  { processes, deadlines }: AgentContext,
  { path, args }: Command,
  env: Readonly<Record<string, string>>,
): Promise<string[]> {
  const variable = keyVariableIn(env);
  if (variable === undefined) return [];
  const config = await readConfig(env);
  if (providerIn(config) !== undefined) return [];
  const spec = { command: path, args: [...args, "login", "status"], cwd: tmpdir(), env, agent: program.id };
  const { stdout, stderr } = await processes.run(spec, deadlines.probe);
  return /not logged in/i.test(stdout + stderr) ? providerArguments(variable, text(config["openai_base_url"])) : [];
}

export function providerArguments(variable: string, url = "https://api.openai.com/v1"): string[] {
  const settings = { name: "OpenAI", base_url: url, env_key: variable, wire_api: "responses" };
  const table = Object.entries(settings).map(([key, value]) => `${key}=${JSON.stringify(value)}`);
  return ["-c", `model_provider="${keyProvider}"`, "-c", `model_providers.${keyProvider}={${table.join(",")}}`];
}

/** Reins always answers, although the user's own settings may name another reviewer. */
const approvalsReviewer = "user";

/**
 * Commands run in a sandbox without write access and network; anything more asks, and so does every patch. `untrusted`
 * would ask about every `ls`; `never` would refuse even what a user or the mode allows.
 */
const looking = {
  sandbox: "read-only",
  sandboxPolicy: { type: "readOnly", networkAccess: false },
  approvalPolicy: "on-request",
} as const;

/** Codex asks about everything and the mode allows it, so that changes are reported and a stricter mode applies at once. */
const unbound = {
  sandbox: "danger-full-access",
  sandboxPolicy: { type: "dangerFullAccess" },
  approvalPolicy: "untrusted",
} as const;

const byMode = {
  read: looking,
  plan: looking,
  ask: looking,
  edits: looking,
  full: unbound,
} as const satisfies Record<Mode, typeof looking | typeof unbound>;

export function nativeMode(mode: Mode): string {
  const { sandbox, approvalPolicy } = byMode[mode];
  return [...(mode === "plan" ? ["plan"] : []), sandbox, approvalPolicy].join(", ");
}

/** With these arguments, and all that start with `--dangerously-`, Codex would not ask Reins or would accept other clients. */
const unheldArguments = words("--yolo --full-auto --ask-for-approval -a --sandbox -s --listen");

/** Without the first setting the question tool exists in plan mode only; the second silences the warning about it. */
const questionsInEveryMode = {
  "features.default_mode_request_user_input": true,
  suppress_unstable_features_warning: true,
};

export function threadSettings(options: OpenOptions): JsonObject {
  const { cwd, mode, model, systemPrompt, directories = [], mcpServers } = options;
  const { sandbox, approvalPolicy } = byMode[mode];
  return {
    cwd,
    sandbox,
    approvalPolicy,
    approvalsReviewer,
    ...(model !== undefined && { model }),
    ...(directories.length > 0 && { runtimeWorkspaceRoots: [cwd, ...directories] }),
    ...(systemPrompt?.how === "append" && { developerInstructions: systemPrompt.text }),
    ...(systemPrompt?.how === "replace" && { baseInstructions: systemPrompt.text }),
    config: { ...questionsInEveryMode, ...serversConfig(mcpServers ?? {}) },
  };
}

export interface TurnChoice {
  readonly mode: Mode;
  readonly model: string;
  readonly effort: string | undefined;
  /** True when the conversation was in plan mode before and would stay in it. */
  readonly planned: boolean;
}

/** Parameters of `turn/start`. Sent with every turn, so that its permissions never depend on an earlier turn. */
export function turnSettings({ mode, model, effort, planned }: TurnChoice): JsonObject {
  const { sandboxPolicy, approvalPolicy } = byMode[mode];
  return {
    model,
    sandboxPolicy,
    approvalPolicy,
    approvalsReviewer,
    ...(mode === "plan" ? collaboration("plan", model, effort) : planned && collaboration("default", model, effort)),
  };
}

export const collaboration = (mode: "plan" | "default", model: string, effort: string | undefined): JsonObject => ({
  collaborationMode: { mode, settings: { model, reasoning_effort: effort ?? null, developer_instructions: null } },
});

/** Names of the servers that Codex cannot use: it has no SSE transport. */
export function unservedServers({ mcpServers = {} }: OpenOptions): string[] {
  return Object.entries(mcpServers).flatMap(([name, server]) =>
    "type" in server && server.type === "sse" ? [name] : [],
  );
}

/** Sets a key per server, so that the user's own servers stay. */
function serversConfig(servers: Readonly<Record<string, McpServer>>): JsonObject {
  const config: Record<string, unknown> = {};
  for (const [name, server] of Object.entries(servers)) {
    if (!("type" in server)) config[`mcp_servers.${name}`] = { args: [], env: {}, ...server };
    else if (server.type === "http")
      config[`mcp_servers.${name}`] = { url: server.url, http_headers: server.headers ?? {} };
  }
  return config;
}

export function historyItems(history: readonly HistoryMessage[]): JsonObject[] {
  return history.map(({ role, text }) =>
    role === "person"
      ? { type: "message", role: "user", content: [{ type: "input_text", text }] }
      : { type: "message", role: "assistant", content: [{ type: "output_text", text }] },
  );
}

/** Enables experimental methods: planning, questions in every mode, injected history, ending background terminals. */
const introduction = {
  clientInfo: { name: "reins", title: "Reins", version: "1" },
  capabilities: { experimentalApi: true, requestAttestation: false, optOutNotificationMethods: unwanted },
};

export async function initialize(rpc: JsonRpc, deadlineMs: number): Promise<string | undefined> {
  const answer = record(await asked(rpc, "initialize", introduction, deadlineMs));
  void rpc.notify("initialized");
  const version = versionIn(text(answer["userAgent"])?.split("/", 2)[1] ?? "");
  requireVersion(program, version);
  return version;
}

export interface OpenedThread {
  readonly id: string;
  readonly model: string;
  readonly effort: string | undefined;
}

export async function openThread(
  rpc: JsonRpc,
  options: OpenOptions,
  resume: string | undefined,
  deadlineMs: number,
): Promise<OpenedThread> {
  const ask = async (method: string, params: JsonObject) => record(await asked(rpc, method, params, deadlineMs));
  const [method, more] =
    resume === undefined
      ? // All traffic with the model, for the calls that have no item.
        ["thread/start", { experimentalRawEvents: true }]
      : [options.fork === true ? "thread/fork" : "thread/resume", { threadId: resume, excludeTurns: true }];
  const answer = await ask(method, { ...threadSettings(options), ...more });
  const id = text(record(answer["thread"])["id"]);
  if (id === undefined) throw refused("protocol_error", "Codex opened no thread.");
  const { history = [] } = options;
  if (resume === undefined && history.length > 0)
    await ask("thread/inject_items", { threadId: id, items: historyItems(history) });
  return { id, model: text(answer["model"]) ?? options.model ?? "", effort: text(answer["reasoningEffort"]) };
}

/** Explains a program that ends here by its last lines on stderr, which nobody reads yet. */
async function asked(rpc: JsonRpc, method: string, params: JsonObject, deadlineMs: number): Promise<unknown> {
  try {
    return await rpc.readUntil(rpc.request(method, params, { deadlineMs }));
  } catch (error) {
    const gone = goneOf(error);
    if (gone !== undefined) {
      const info = failures.exit(gone, gone.stderrTail);
      throw new ReinsError(info.code, info.message, { ...info, cause: error });
    }
    throw explained(error);
  }
}

export function explained(error: unknown): ReinsError {
  const { message: said = "", data } = refusalOf(error) ?? {};
  const provider = text(record(data)["modelProvider"]);
  if (provider !== undefined) {
    const how = provider === keyProvider ? "with a key from the environment" : `at ${provider}`;
    return new ReinsError("not_authenticated", `This conversation was started ${how} and can be resumed only there.`, {
      agent: program.id,
      help: "Sign in as before, or start a new session.",
      cause: error,
    });
  }
  if (/no rollout found|thread not found|invalid thread id/i.test(said))
    return refused("session_not_found", "Codex does not know this conversation.", error);
  if (/already has an active writer/.test(said))
    return refused(
      "session_busy",
      "Another Codex process is using this conversation; only one can use it at a time.",
      error,
    );
  if (/unknown variant/.test(said)) return unsupportedVersion(program, undefined, error);
  return toReinsError(error);
}

export function refused(code: ErrorCode, message: string, cause?: unknown): ReinsError {
  return new ReinsError(code, message, { agent: program.id, cause });
}

/** Converts a prompt with its attachments to the input of `turn/start`. */
export async function inputOf(input: PromptInput, cwd: string, maxBytes: number): Promise<JsonObject[]> {
  const { texts, images } = await attachedTo(input, cwd, maxBytes);
  const said = input.text.trim() === "" ? texts : [...texts, input.text];
  return [
    ...images.map(({ mediaType, data }) => ({ type: "image", url: `data:${mediaType};base64,${data}` })),
    ...said.map((text) => ({ type: "text", text, text_elements: [] })),
  ];
}
