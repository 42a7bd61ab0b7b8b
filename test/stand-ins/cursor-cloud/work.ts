/** A run: runs the loop and reports its actions as events of the service. */
import {
  deleteFileTool,
  editFileTool,
  fieldsOf,
  globTool,
  grepTool,
  listDirTool,
  mcpServers,
  ModelError,
  readFileTool,
  runLoop,
  terminal,
  textOf,
  webFetchTool,
  writeFileTool,
  type ChatPart,
  type Fields,
  type LoopCall,
  type LoopTool,
  type ToolResult,
} from "../agent-loop/index.ts";
import type { AgentRecord, RunRecord, World } from "./types.ts";

const looking: readonly LoopTool[] = [readFileTool, grepTool, globTool, listDirTool, webFetchTool];
const changing: readonly LoopTool[] = [writeFileTool, editFileTool, deleteFileTool];

export interface Telling {
  tell(type: string, data: object): void;
  end(status: RunRecord["status"], result?: string): void;
}

export async function work(
  agent: AgentRecord,
  run: RunRecord,
  prompt: Fields,
  world: World,
  telling: Telling,
): Promise<void> {
  const commands = terminal();
  const servers = mcpServers(new Map(agent.mcpServers.map((one) => [textOf(one["name"]), one])), world.cwd);
  const plans = agent.mode === "plan";
  agent.messages.push({ role: "user", content: contentOf(prompt) });
  run.status = "RUNNING";
  telling.tell("status", { runId: run.id, status: "RUNNING" });
  try {
    const { texts, usage } = await runLoop({
      modelUrl: world.modelUrl,
      key: "made-up",
      model: agent.model,
      cwd: world.cwd,
      messages: agent.messages,
      tools: plans ? looking : [...looking, ...changing, commands.tool, servers.tool],
      signal: run.abort.signal,
      conversation: agent.id,
      retries: 2,
      onRetry: (_attempt, error) => {
        // A broken-off answer counts as an answer; only refused requests are repeated.
        if (error.kind === "cut") throw error;
      },
      onText: (text) => telling.tell("assistant", { text }),
      onThought: (text) => telling.tell("thinking", { text }),
      useTool: (call, go) => told(call, go, telling),
    });
    run.usage = usage;
    telling.end("FINISHED", texts.at(-1) ?? "");
  } catch (thrown) {
    if (run.abort.signal.aborted) return telling.end("CANCELLED");
    run.error = errorOf(thrown);
    telling.tell("error", run.error);
    telling.end("ERROR");
  } finally {
    commands.end();
    servers.close();
  }
}

async function told(call: LoopCall, go: () => Promise<ToolResult>, telling: Telling): Promise<ToolResult> {
  const about = { callId: call.id, name: call.name === "call_mcp_tool" ? "mcp" : call.name, args: call.input };
  telling.tell("tool_call", { ...about, status: "running" });
  const result = await go();
  telling.tell("tool_call", { ...about, status: "completed", result: { [outcomeOf(result)]: shown(result) } });
  return result;
}

const outcomeOf = ({ ok, facts = {} }: ToolResult): string =>
  ok ? "success" : facts["exitCode"] === undefined ? "error" : "failure";

/** Uses the service's own field names. */
function shown({ text, ok, facts = {} }: ToolResult): object {
  const { before, after, path, exitCode, stdout, stderr, command } = facts;
  if (exitCode !== undefined) return { command, exitCode, stdout, stderr };
  if (!ok) return { path, error: text };
  if (after !== undefined) return { path, beforeFullFileContent: before ?? "", afterFullFileContent: after };
  return { path, content: text };
}

function contentOf(prompt: Fields): string | ChatPart[] {
  const text = textOf(prompt["text"]);
  const images = (Array.isArray(prompt["images"]) ? prompt["images"] : []).map(fieldsOf);
  if (images.length === 0) return text;
  const address = ({ url, data, mimeType }: Fields): string =>
    textOf(url) || `data:${textOf(mimeType) || "image/png"};base64,${textOf(data)}`;
  return [
    { type: "text", text },
    ...images.map((image): ChatPart => ({ type: "image_url", image_url: { url: address(image) } })),
  ];
}

function errorOf(thrown: unknown): { code: string; message: string } {
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  if (!(thrown instanceof ModelError)) return { code: "internal", message };
  const { status, kind } = thrown;
  if (status === 401) return { code: "unauthenticated", message };
  if (status === 429)
    return { code: /quota|limit_reached/.test(kind) ? "usage_limit_exceeded" : "rate_limited", message };
  if (status === 404) return { code: "model_not_found", message };
  return { code: status === 0 ? "connection_lost" : status >= 500 ? "unavailable" : "invalid_argument", message };
}
