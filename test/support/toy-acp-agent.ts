/**
 * A tiny ACP agent: `node toy-acp-agent.ts [--flag ...]`. Its prompts are steps separated by `;`: say, think, read FILE, write FILE TEXT,
 * run COMMAND, break, plan, question, wait, error CODE TEXT, stop REASON, die, extend, late, echo, recall, where, spend, and `bare` (a
 * permission for a call it never announced). Flags make it misbehave, or older.
 */
import { mkdirSync, readFileSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";

type Json = Record<string, unknown>;
interface Conversation {
  readonly id: string;
  prompts: string[];
  mode: string;
  model: string;
}

const flags = new Set(process.argv.slice(2));
const home = process.env["TOY_HOME"] ?? process.cwd();
const asked = new Map<number, (answer: Json) => void>();
let nextId = 0;
let session: Conversation | undefined;
let cancelled: (() => void) | undefined;
let calls = 0;

const print = (line: string): void => {
  const bytes = Buffer.from(`${line}\n`);
  for (let from = 0; from < bytes.length;) from += writeSync(1, bytes, from);
};
function send(message: Json): void {
  const line = JSON.stringify({ jsonrpc: "2.0", ...message });
  // Printed in one piece: the same request after its answer would be a new request.
  print(flags.has("--twice") ? `${line}\n${line}` : line);
}
const update = (kind: string, more: Json): void =>
  send({ method: "session/update", params: { sessionId: session?.id, update: { sessionUpdate: kind, ...more } } });
const chunk = (kind: string, text: string): void => {
  for (const part of text.split(/(?<= )/)) update(kind, { content: { type: "text", text: part } });
};
function ask(method: string, params: Json): Promise<Json> {
  const id = flags.has("--same-ids") ? 0 : nextId++;
  send({ id, method, params: { sessionId: session?.id, ...params } });
  return new Promise((resolve) => asked.set(id, resolve));
}

function settings(): Json {
  if (flags.has("--no-models")) return {};
  const { mode, model } = session!;
  if (flags.has("--legacy"))
    return {
      modes: {
        currentModeId: mode,
        availableModes: [
          { id: "careful", name: "Careful" },
          { id: "bold", name: "Bold" },
        ],
      },
      models: {
        currentModelId: model,
        availableModels: [
          { modelId: "small", name: "Small" },
          { modelId: "toys/large", name: "Large" },
        ],
      },
    };
  const options = (...values: string[]) => values.map((value) => ({ value, name: value }));
  return {
    configOptions: [
      { id: "how", category: "mode", type: "select", currentValue: mode, options: options("careful", "bold") },
      {
        id: "which",
        category: "model",
        type: "select",
        currentValue: model,
        options: [{ group: "g", name: "G", options: options("small", "toys/large") }],
      },
    ],
  };
}

const permissionOptions = [
  { optionId: "yes", name: "Yes", kind: "allow_once" },
  { optionId: "ever", name: "Always", kind: "allow_always" },
  { optionId: "no", name: "No", kind: "reject_once" },
  { optionId: "shrug", name: "Perhaps", kind: "unheard_of" },
];

async function permitted(toolCall: Json): Promise<boolean> {
  const { result } = await ask("session/request_permission", { toolCall, options: permissionOptions });
  const { outcome, optionId } = ((result as Json | undefined)?.["outcome"] ?? {}) as Json;
  return outcome === "selected" && (optionId === "yes" || optionId === "ever");
}

async function withPermission(toolCall: Json, run: () => Json): Promise<void> {
  const toolCallId = toolCall["toolCallId"];
  update("tool_call", { status: "pending", ...toolCall, ...(toolCall["kind"] === "edit" ? { rawInput: {} } : {}) });
  if (await permitted(toolCall)) update("tool_call_update", { toolCallId, status: "completed", ...run() });
  else
    update("tool_call_update", {
      toolCallId,
      status: "failed",
      rawOutput: { message: "They said no.", code: "rejected" },
    });
}

const codeIn = (error: unknown): number => (error as { code: number }).code;

const steps: Readonly<Record<string, (rest: string) => void | Promise<void>>> = {
  say: (text) => chunk("agent_message_chunk", text),
  think: (text) => chunk("agent_thought_chunk", text),
  echo: (text) => chunk("user_message_chunk", text),
  read(path) {
    const toolCallId = `call-${++calls}`;
    update("tool_call", { toolCallId, title: "read_file", kind: "read", status: "in_progress", rawInput: { path } });
    update("tool_call_update", {
      toolCallId,
      content: [{ type: "content", content: { type: "text", text: "first " } }],
    });
    const content = [{ type: "content", content: { type: "text", text: "first second" } }];
    update("tool_call_update", { toolCallId, status: "completed", content });
  },
  write(rest) {
    const [file = "", ...words] = rest.split(" ");
    const path = join(process.cwd(), file);
    const newText = `${words.join(" ")}\n`;
    const toolCall = {
      toolCallId: `call-${++calls}`,
      title: "write_file",
      kind: "edit",
      rawInput: { file_path: path, content: newText },
      content: [{ type: "diff", path, oldText: null, newText }],
      locations: [{ path }],
    };
    return withPermission(toolCall, () => {
      writeFileSync(path, newText);
      return { content: [{ type: "content", content: { type: "text", text: "Written." } }] };
    });
  },
  run(command) {
    const toolCall = { toolCallId: `call-${++calls}`, title: "shell", kind: "execute", rawInput: { command } };
    return withPermission(toolCall, () => ({ rawOutput: { output: `ran ${command}`, exitCode: 0 } }));
  },
  async bare(command) {
    const toolCall = { toolCallId: `call-${++calls}`, title: command, kind: "execute" };
    const yes = await permitted(toolCall);
    if (yes) update("tool_call_update", { toolCallId: toolCall.toolCallId, status: "completed" });
  },
  break() {
    const toolCallId = `call-${++calls}`;
    update("tool_call", { toolCallId, title: "shell", kind: "execute", rawInput: { command: "false" } });
    update("tool_call_update", { toolCallId, status: "failed", rawOutput: { error: "It broke.", exitCode: 3 } });
  },
  plan: () =>
    update("plan", {
      entries: [
        { content: "one", status: "completed", priority: "high" },
        { content: "two", status: "odd" },
      ],
    }),
  async question() {
    const requestedSchema = {
      type: "object",
      properties: { color: { type: "string", title: "Color", enum: ["red", "blue"] } },
    };
    const { result } = await ask("elicitation/create", { mode: "form", message: "Which one?", requestedSchema });
    chunk("agent_message_chunk", `answered ${JSON.stringify(result)}`);
  },
  wait: () => new Promise((resolve) => (cancelled = resolve)),
  async extend() {
    update("weather_update", { sky: "blue" });
    update("weather_update", { sky: "red" });
    send({ method: "_toy/news", params: {} });
    const { error } = await ask("_toy/ask", {});
    const files = await ask("fs/read_text_file", { path: "/etc/passwd" });
    chunk("agent_message_chunk", `${codeIn(error)} ${codeIn(files["error"])}`);
  },
  recall: () => chunk("agent_message_chunk", `${session?.prompts.length} prompts`),
  where: () => chunk("agent_message_chunk", `${session?.mode} ${session?.model} in ${process.cwd()}`),
  spend: () =>
    update("usage_update", {
      used: 10,
      size: 100,
      cost: { amount: 0.5 * (session?.prompts.length ?? 0), currency: "USD" },
    }),
  die() {
    process.stderr.write("the toy broke\n");
    process.exit(7);
  },
};

const ends: Readonly<Record<string, (rest: string) => Json>> = {
  stop: (stopReason) => ({ result: { stopReason } }),
  error(rest) {
    const [code, ...words] = rest.split(" ");
    return { error: { code: Number(code), message: words.join(" ") } };
  },
};

async function prompt(id: unknown, text: string): Promise<void> {
  session!.prompts.push(text);
  save();
  let stopped = false;
  let end: Json = { result: { stopReason: "end_turn", usage: { inputTokens: 10, outputTokens: 5, totalTokens: 15 } } };
  const whenCancelled = new Promise<void>((resolve) => {
    cancelled = () => {
      stopped = true;
      resolve();
    };
  });
  for (const step of text.split(";").map((part) => part.trim())) {
    const [word = "", ...rest] = step.split(" ");
    if (stopped) break;
    if (word === "forever") await new Promise(() => {});
    else if (word === "wait") await whenCancelled;
    else if (ends[word] !== undefined) end = ends[word](rest.join(" "));
    else await steps[word]?.(rest.join(" "));
  }
  cancelled = undefined;
  const answer = JSON.stringify({ jsonrpc: "2.0", id, ...(stopped ? { result: { stopReason: "cancelled" } } : end) });
  const late = { sessionUpdate: "agent_message_chunk", content: { type: "text", text: "too late" } };
  const further = { jsonrpc: "2.0", method: "session/update", params: { sessionId: session?.id, update: late } };
  // Printed in one piece, so that the update is too late for this turn and too early for the next.
  print(text.includes("late") ? `${answer}\n${JSON.stringify(further)}` : answer);
  if (flags.has("--twice")) print(answer);
}

const fileOf = (id: string) => join(home, `${id}.json`);
function save(): void {
  mkdirSync(home, { recursive: true });
  writeFileSync(fileOf(session!.id), JSON.stringify(session));
}
function take(id: string): boolean {
  try {
    session = JSON.parse(readFileSync(fileOf(id), "utf8")) as Conversation;
    return true;
  } catch {
    return false;
  }
}

const methods: Readonly<Record<string, (params: Json, id: unknown) => Json | undefined>> = {
  initialize() {
    if (flags.has("--old")) return { result: { protocolVersion: 7 } };
    const sessionCapabilities = { list: {}, close: {}, ...(flags.has("--no-resume") ? {} : { resume: {} }) };
    const agentCapabilities = {
      loadSession: !flags.has("--no-load"),
      promptCapabilities: { image: flags.has("--images") },
      sessionCapabilities,
    };
    const authMethods = [{ id: "key", name: "Key", description: "Set TOY_KEY" }];
    return {
      result: {
        protocolVersion: 1,
        agentCapabilities,
        authMethods,
        agentInfo: { name: "toy", version: process.env["TOY_VERSION"] ?? "1.2.3" },
      },
    };
  },
  authenticate(params) {
    if (params["methodId"] === "key") flags.delete("--locked");
    return flags.has("--locked") ? { error: { code: -32603, message: "Wrong key" } } : { result: {} };
  },
  "session/new"(params) {
    if (flags.has("--dies-in-new")) {
      process.stderr.write("no room for a session\n");
      process.exit(4);
    }
    if (flags.has("--locked")) return { error: { code: -32000, message: "Authentication required" } };
    session = {
      id: `toy/${process.pid}-${Date.now()}`.replace("/", "_"),
      prompts: [],
      mode: "careful",
      model: "small",
    };
    update("available_commands_update", {
      availableCommands: [{ name: "dance", description: JSON.stringify(params) }],
    });
    return { result: { sessionId: session.id, ...settings() } };
  },
  "session/load"(params) {
    if (!take(String(params["sessionId"])))
      return { error: { code: -32603, message: "Internal error", data: { details: "No such thing" } } };
    for (const text of session!.prompts) {
      chunk("user_message_chunk", text);
      chunk("agent_message_chunk", "said long ago");
      update("tool_call", { toolCallId: "old", title: "old", kind: "read", status: "completed" });
    }
    return { result: settings() };
  },
  "session/resume"(params) {
    return take(String(params["sessionId"]))
      ? { result: settings() }
      : { error: { code: -32002, message: "Session not found" } };
  },
  "session/close": () => ({ result: {} }),
  "session/prompt"(params, id) {
    const text = (params["prompt"] as Json[])
      .map((block) => String(block["text"] ?? block["uri"] ?? block["mimeType"]))
      .join("; ");
    void prompt(id, text);
    return undefined;
  },
  "session/set_mode"(params) {
    session!.mode = String(params["modeId"]);
    update("current_mode_update", { currentModeId: session!.mode });
    return { result: {} };
  },
  "session/set_model"(params) {
    session!.model = String(params["modelId"]);
    return { result: {} };
  },
  "session/set_config_option"(params) {
    if (params["configId"] === "how") session!.mode = String(params["value"]);
    else session!.model = String(params["value"]);
    return { result: settings() };
  },
};

function take1(message: Json): void {
  const { id, params } = message;
  const method = message["method"] as string | undefined;
  if (method === undefined) {
    asked.get(id as number)?.(message);
    return;
  }
  if (method === "session/cancel") {
    if (!flags.has("--mute-cancel")) cancelled?.();
    return;
  }
  if (id === undefined || flags.has("--mute")) return;
  const answer = methods[method]?.((params ?? {}) as Json, id);
  if (answer !== undefined) send({ id, ...answer });
  else if (method !== "session/prompt") send({ id, error: { code: -32601, message: "Method not found" } });
}

if (flags.has("--garbage")) for (let n = 0; n < 10_000; n++) print(`${n} ${"garbage ".repeat(12)}`);
if (flags.has("--asks-early")) {
  send({
    id: 99,
    method: "session/request_permission",
    params: { toolCall: { toolCallId: "early" }, options: permissionOptions },
  });
}
if (flags.has("--repeats-ids")) {
  send({ id: "x", method: "_toy/one", params: {} });
  send({ id: "x", method: "_toy/one", params: {} });
}
createInterface({ input: process.stdin }).on("line", (line) => take1(JSON.parse(line) as Json));
