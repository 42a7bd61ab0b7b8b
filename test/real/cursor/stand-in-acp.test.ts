/** The Cursor stand-in over ACP: its own methods, loaded sessions, permanent permissions, and hooks that continue a turn. */
import { once } from "node:events";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { scenarioPrompt } from "../../../src/testing/conversation.ts";
import { AcpClient } from "../../support/acp-client.ts";
import { CursorRuns, type RunOptions } from "../../support/cursor-runs.ts";

let runs: CursorRuns;
beforeAll(async () => (runs = await CursorRuns.open()));
afterAll(() => runs[Symbol.asyncDispose]());

const chosen = (optionId: string) => ({ outcome: { outcome: "selected", optionId } });

async function connect(answer?: ConstructorParameters<typeof AcpClient>[1], options?: RunOptions) {
  const child = runs.start(["acp"], options);
  const client = new AcpClient(child, answer);
  await client.request("initialize", { protocolVersion: 1 });
  const { sessionId } = await client.request("session/new", { cwd: runs.cwd, mcpServers: [] });
  const prompt = (text: string, id = sessionId) =>
    client.request("session/prompt", { sessionId: id, prompt: [{ type: "text", text }] });
  const close = async () => {
    child.stdin.end();
    const [code] = (await once(child, "exit")) as [number];
    return code;
  };
  return { child, client, sessionId, prompt, close };
}

test("uses its own methods for questions and notifications of its own", async () => {
  const answered = {
    outcome: { outcome: "answered", answers: [{ questionId: "question_1", selectedOptionIds: ["Blue"] }] },
  };
  const { client, prompt, sessionId, close } = await connect((method) =>
    method === "cursor/ask_question" ? answered : { outcome: { outcome: "rejected", reason: "Smaller." } },
  );
  expect(await prompt(scenarioPrompt("question"))).toEqual({ stopReason: "end_turn" });
  expect(JSON.stringify(runs.model.requests.at(-1)?.body)).toContain("Blue");
  await client.request("session/set_mode", { sessionId, modeId: "plan" });
  await prompt(scenarioPrompt("plan"));
  expect(JSON.stringify(runs.model.requests.at(-1)?.body)).toContain("Smaller.");
  await client.request("session/set_config_option", { sessionId, configId: "mode", value: "agent" });
  await prompt(scenarioPrompt("subagent"));
  expect(client.heard.map(({ method, id }) => [method, id !== undefined])).toEqual([
    ["cursor/ask_question", true],
    ["cursor/create_plan", true],
    ["cursor/task", false],
  ]);
  expect(client.updates.filter(({ title }) => title !== undefined).map(({ title }) => title)).toEqual([
    "Ask Question",
    expect.stringContaining("scenario:question"),
    "Create Plan",
    "Task: Part of the work",
  ]);
  expect(await close()).toBe(0);
});

test("waits for an answer to notifications in some versions, with other method names", async () => {
  const { client, prompt, close } = await connect(undefined, { traps: { EXTENSION_REQUESTS: true, UNDERSCORE: true } });
  await prompt(scenarioPrompt("subagent"));
  expect(client.heard).toMatchObject([{ method: "_cursor/task", id: 0 }]);
  await close();
});

test("saves a permanent permission in the person's own settings", async () => {
  const { client, prompt, close } = await connect(() => chosen("allow-always"));
  await prompt(scenarioPrompt("shell", "touch one.txt"));
  await prompt(scenarioPrompt("shell", "touch two.txt"));
  expect(client.heard).toHaveLength(1);
  expect(client.heard[0]?.params).toMatchObject({
    toolCall: { title: "`touch one.txt`", content: [{ content: { text: "Not in allowlist: touch" } }] },
  });
  expect(readFileSync(join(runs.home, ".cursor", "cli-config.json"), "utf8")).toContain("Shell(touch)");
  expect(existsSync(join(runs.cwd, "two.txt"))).toBe(true);
  await close();
});

test("cannot load a session without a turn, and replays one with a turn first", async () => {
  const first = await connect();
  const { sessionId } = first;
  const load = { sessionId, cwd: runs.cwd, mcpServers: [] };
  expect(await first.client.request("session/load", load)).toMatchObject({ error: { code: -32602 } });
  await first.prompt(scenarioPrompt("write", "kept.txt"));
  await first.close();
  const second = await connect();
  expect(await second.client.request("session/load", load)).toMatchObject({ modes: { currentModeId: "agent" } });
  expect(second.client.updates.map(({ sessionUpdate }) => sessionUpdate).slice(0, 6)).toEqual([
    "available_commands_update",
    "user_message_chunk",
    "agent_message_chunk",
    "tool_call",
    "tool_call_update",
    "agent_message_chunk",
  ]);
  expect(second.client.updates).toContainEqual(
    expect.objectContaining({ toolCallId: "replay-0-1", status: "pending" }),
  );
  await second.prompt(scenarioPrompt("text"), sessionId);
  expect(JSON.stringify(runs.model.requests.at(-1)?.body)).toContain("scenario:write");
  expect(await second.client.request("session/resume", load)).toMatchObject({ error: { code: -32601 } });
  const { sessions } = await second.client.request("session/list", { cwd: runs.cwd });
  expect(sessions).toContainEqual(expect.objectContaining({ sessionId, cwd: runs.cwd }));
  await second.close();
});

test("cancels a turn while a command runs, and the process continues", async () => {
  const { client, prompt, sessionId, close } = await connect(() => chosen("allow-once"));
  const turn = prompt(scenarioPrompt("long-shell"));
  await client.when(({ status }) => status === "in_progress");
  client.notify("session/cancel", { sessionId });
  expect(await turn).toEqual({ stopReason: "cancelled" });
  expect(await prompt(scenarioPrompt("text"))).toEqual({ stopReason: "end_turn" });
  expect(await close()).toBe(0);
});

test("runs hooks that check a prompt, add context and continue a turn, up to a limit", async () => {
  const file = join(runs.home, ".cursor", "hooks.json");
  const says = (answer: object) => [{ command: `printf '%s' '${JSON.stringify(answer)}'`, loop_limit: 2 }];
  const hooks = {
    sessionStart: says({ additional_context: "The moon is full.", env: { MOON: "full" } }),
    stop: says({ followup_message: "Once more." }),
  };
  writeFileSync(file, JSON.stringify({ version: 1, hooks }));
  const { prompt, close } = await connect();
  const before = runs.model.requests.length;
  await prompt(scenarioPrompt("text"));
  expect(runs.model.requests.length - before).toBe(3);
  expect(JSON.stringify(runs.model.requests.at(-1)?.body)).toContain("The moon is full.");
  await close();
  const refuses = { beforeSubmitPrompt: says({ continue: false, user_message: "Not today." }) };
  writeFileSync(file, JSON.stringify({ version: 1, hooks: refuses }));
  const refused = await connect();
  await refused.prompt(scenarioPrompt("text"));
  expect(JSON.stringify(refused.client.updates)).toContain("Not today.");
  await refused.close();
  rmSync(file);
});

test("reports failures as errors, and a missing sign-in with its own error", async () => {
  const { prompt, close } = await connect();
  expect(await prompt(scenarioPrompt("error-500"))).toMatchObject({
    error: { code: -32603, data: { message: expect.stringContaining("RetriableError: [internal]") as string } },
  });
  await close();
  const nobody = await connect(undefined, { env: { CURSOR_API_KEY: "" } });
  const params = { cwd: runs.cwd, mcpServers: [] };
  expect(await nobody.client.request("session/new", params)).toMatchObject({ error: { code: -32000 } });
  expect(await nobody.client.request("session/new", { cwd: runs.cwd })).toMatchObject({ error: { code: -32000 } });
  await nobody.close();
});
