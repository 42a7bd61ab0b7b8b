import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { ProofToolCall } from "../../../src/agents/contract.ts";
import { scenarioPrompt } from "../../../src/testing/conversation.ts";
import { mcpServer } from "../../../src/testing/mcp-server.ts";
import { startScriptedModel, type ScriptedModel } from "../../../src/testing/server.ts";
import {
  deleteFileTool,
  editFileTool,
  grepTool,
  mcpServers,
  readFileTool,
  tasks,
  terminal,
  writeFileTool,
} from "./index.ts";
import { runLoop, type LoopOptions } from "./loop.ts";
import type { LoopTool } from "./types.ts";

let cwd: string;
let model: ScriptedModel;

function toolCall({ tool, path, text, from, to, command, prompt, background, server, name, input }: ProofToolCall) {
  if (tool === "read") return { name: "read_file", input: { path } };
  if (tool === "write") return { name: "write_file", input: { path, text } };
  if (tool === "edit") return { name: "edit_file", input: { path, old: from, new: to } };
  if (tool === "delete") return { name: "delete_file", input: { path } };
  if (tool === "grep") return { name: "grep", input: { pattern: text } };
  if (tool === "shell") return { name: "run_terminal_cmd", input: { command, background } };
  if (tool === "task") return { name: "task", input: { description: "Part", prompt, background } };
  if (tool === "mcp") return { name: "call_mcp_tool", input: { server, tool: name, arguments: input } };
  return undefined;
}

beforeEach(async () => {
  cwd = await mkdtemp(join(tmpdir(), "reins-loop-"));
  model = await startScriptedModel({ cwd, proof: { toolCall } });
});
afterEach(async () => {
  await model.close();
  await rm(cwd, { recursive: true });
});

const simple: readonly LoopTool[] = [readFileTool, writeFileTool, editFileTool, deleteFileTool, grepTool];

function optionsOf(prompt: string, options: Partial<LoopOptions> = {}): LoopOptions {
  return {
    modelUrl: model.url,
    key: "made-up",
    model: "scripted",
    cwd,
    tools: [...simple, terminal().tool],
    messages: [{ role: "user", content: prompt }],
    signal: new AbortController().signal,
    ...options,
  };
}

const run = (prompt: string, options?: Partial<LoopOptions>) => runLoop(optionsOf(prompt, options));

test("reports text, thoughts and usage of the model", async () => {
  const thoughts: string[] = [];
  const { texts, stop } = await run(scenarioPrompt("thinking"), { onThought: (piece) => thoughts.push(piece) });
  expect(thoughts.join("")).toBe("Let me think about it. It is simple.");
  expect({ texts, stop }).toEqual({ texts: ["I thought about it: 42."], stop: "end" });
  expect((await run(scenarioPrompt("usage"))).usage).toEqual({
    input: 1_000,
    output: 200,
    cacheRead: 5_000,
    cacheWrite: 300,
  });
  expect((await run(scenarioPrompt("max-tokens"))).stop).toBe("max_tokens");
  expect((await run(scenarioPrompt("refusal"))).stop).toBe("refusal");
});

test("runs its tools on the workspace", async () => {
  await run(scenarioPrompt("write"));
  expect(await readFile(join(cwd, "hello.txt"), "utf8")).toBe("hello world\n");
  await run(scenarioPrompt("edit"));
  expect((await run(scenarioPrompt("read"))).texts.at(-1)).toBe("It says: goodbye world\n");
  expect((await run(scenarioPrompt("search", "goodbye"))).texts.at(-1)).toContain("hello.txt:1:goodbye world");
  expect((await run(scenarioPrompt("shell", "ls; exit 3"))).texts.at(-1)).toContain("hello.txt\n\nExit code: 3");
  await run(scenarioPrompt("delete"));
  expect((await run(scenarioPrompt("read"))).texts.at(-1)).toContain("File not found");
});

test("offers MCP servers and subagents as tools", async () => {
  const servers = mcpServers(new Map([["scripted", mcpServer() as object]]), cwd);
  expect((await run(scenarioPrompt("mcp"), { tools: [servers.tool] })).texts).toEqual([
    "The server said: The sum is 5.",
  ]);
  servers.close();
  const { tool } = tasks(() => optionsOf(""));
  const { texts } = await run(scenarioPrompt("subagent"), { tools: [tool] });
  expect(texts.at(-1)).toBe("The subagent said: Hello from the scripted model.");
});

test("tells the model about an unknown tool, and broken or missing input", async () => {
  expect((await run(scenarioPrompt("unknown-tool"))).texts).toEqual(["I was told: There is no tool NoSuchTool."]);
  expect((await run(scenarioPrompt("bad-input"))).texts).toEqual(["I was told: The input has no path."]);
});

test("lets a wrapper refuse a tool call or change its input", async () => {
  await writeFile(join(cwd, "other.txt"), "other");
  const changed = await run(scenarioPrompt("read"), { useTool: (_call, go) => go({ path: "other.txt" }) });
  expect(changed.texts.at(-1)).toBe("It says: other");
  const refused = await run(scenarioPrompt("read"), { useTool: async () => ({ ok: false, text: "No." }) });
  expect(refused.texts.at(-1)).toBe("It says: No.");
});

test("retries after a temporary failure without repeating text", async () => {
  let said = "";
  const attempts: number[] = [];
  const options = {
    retries: 2,
    onText: (piece: string) => (said += piece),
    onRetry: (n: number) => void attempts.push(n),
  };
  await run(scenarioPrompt("cut-once"), options);
  expect({ said, attempts }).toEqual({ said: "A whole answer.", attempts: [1] });
  await expect(run(scenarioPrompt("error-500"), options)).rejects.toMatchObject({ status: 500 });
  expect(attempts).toEqual([1, 1, 2]);
  await expect(run(scenarioPrompt("bad-key"), options)).rejects.toMatchObject({ status: 401 });
});

test("ends the processes of its tool on abort", async () => {
  const stop = new AbortController();
  const messages: LoopOptions["messages"] = [
    { role: "user", content: scenarioPrompt("long-shell", "echo $$ > pid; sleep 1000") },
  ];
  const options = optionsOf("", { signal: stop.signal, messages });
  const ended = runLoop({ ...options, useTool: (_call, go) => (setImmediate(() => stop.abort()), go()) });
  await expect(ended).rejects.toThrow("aborted");
  expect(messages.at(-1)).toMatchObject({ role: "tool" });
});

test("waits for background work on request and reports it in another message", async () => {
  const { tool, background } = terminal();
  const furtherWords = async (): Promise<string | undefined> => {
    const task = background.shift();
    return task && `task-notification: it ended with ${(await task.ended).exitCode}`;
  };
  const { texts } = await run(scenarioPrompt("background-shell", "touch made"), { tools: [tool], furtherWords });
  expect(texts.at(-1)).toBe("The command has ended.");
  expect(await readFile(join(cwd, "made"), "utf8")).toBe("");
});
