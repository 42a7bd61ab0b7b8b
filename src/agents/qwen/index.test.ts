import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { StandInChild } from "../../../test/support/stand-in-child.ts";
import { defaultDeadlines } from "../../events/deadlines.ts";
import { defaultLimits } from "../../events/limits.ts";
import { createRedactor } from "../../events/redact.ts";
import type { Output, Processes } from "../../process/types.ts";
import { createAgent } from "./index.ts";
import { modelsOf } from "./manage.ts";
import { servesModel } from "./models.ts";

let home: string;
let program: string;
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), "reins-test-"));
  program = join(home, "qwen");
  await writeFile(program, "");
  await chmod(program, 0o755);
});
afterEach(() => rm(home, { recursive: true }));

function agent(printed: string, more: Record<string, string> = {}, child = new StandInChild()) {
  const output: Output = { stdout: printed, stderr: "", timedOut: false, truncated: false, code: 0, signal: null };
  const processes = { run: () => Promise.resolve(output), launch: () => Promise.resolve(child) };
  return createAgent({
    processes: processes as unknown as Processes,
    env: { PATH: "/bin", HOME: home, REINS_QWEN_COMMAND: program, ...more },
    deadlines: defaultDeadlines,
    limits: defaultLimits,
    redact: createRedactor({}),
  });
}

const key = { OPENAI_API_KEY: "k", OPENAI_BASE_URL: "http://x/v1", OPENAI_MODEL: "m" };

test("is ready when found, new enough and with a key", async () => {
  expect(await agent("0.24.4\n", key).probe()).toMatchObject({
    ready: true,
    version: "0.24.4",
    signedInHow: "API key (OPENAI_API_KEY)",
  });
});

test("says what to do when not ready", async () => {
  expect(await agent("0.24.4").probe()).toMatchObject({ ready: false, help: expect.stringContaining("/auth") });
  expect(await agent("0.10.0", key).probe()).toMatchObject({ ready: false, help: expect.stringContaining("0.24.4") });
  const missing = agent("", { ...key, REINS_QWEN_COMMAND: join(home, "none") });
  expect(await missing.probe()).toMatchObject({ installed: false, help: expect.stringContaining("npm install") });
  await expect(missing.open({ sessionId: "s", cwd: home, mode: "ask" })).rejects.toMatchObject({
    code: "not_installed",
  });
});

test("gives management commands or alternatives", async () => {
  const { manage } = agent("");
  expect(await manage.login!()).toMatchObject({ command: program, args: ["-i", "/auth"] });
  expect(await manage.update!()).toEqual({ command: program, args: ["update"] });
  expect(JSON.stringify(await manage.about!())).toContain(join(home, ".qwen", "settings.json"));
  for (const [action, sentence] of Object.entries(manage.instead!))
    expect([action, sentence]).toEqual([action, expect.stringMatching(/\.$/)]);
  expect(await agent("✓ a: node x (stdio) - Connected").manage.mcp!.list!()).toMatchObject([{ name: "a" }]);
});

test("asks for its models with a process that ends", async () => {
  const child = new StandInChild();
  const answer = async (subtype: string, response: object) => {
    const { request_id } = await child.hears(({ request }) => request?.["subtype"] === subtype);
    child.print({ type: "control_response", response: { subtype: "success", request_id, response } });
  };
  const asking = agent("", key, child).manage.models!();
  const capabilities = { can_handle_can_use_tool: true };
  await answer("initialize", { session_id: "11111111-2222-4333-8444-555555555555", capabilities });
  await answer("get_available_models", { models: [{ id: "m", label: "Mine", contextWindowSize: 1000 }, {}] });
  expect(await asking).toEqual([{ id: "m", label: "Mine", description: undefined, contextSize: 1000, current: true }]);
  expect(child.stopped).toBe(1);
  expect(modelsOf([1, null, { id: 2 }], undefined)).toEqual([]);
});

test("selects Qwen Code for its model names", () => {
  expect(["qwen3-coder-plus", "qwq-32b", "coder-model"].map(servesModel)).toEqual([true, true, true]);
  expect(["gpt-5", "my-qwen", ""].map(servesModel)).toEqual([false, false, false]);
});

test("removes what a crash left, in both places", async () => {
  await expect(agent("").recover!()).resolves.toBeUndefined();
});
