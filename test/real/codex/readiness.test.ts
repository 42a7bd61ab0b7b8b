/** Program, sign-in, models and MCP servers, found out without a model request. */
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Agent } from "../../../src/agents/contract.ts";
import { createAgent } from "../../../src/agents/codex/index.ts";
import { defaultDeadlines } from "../../../src/events/deadlines.ts";
import { defaultLimits } from "../../../src/events/limits.ts";
import { createRedactor } from "../../../src/events/redact.ts";
import { createProcesses } from "../../../src/process/index.ts";
import { scenarioPrompt } from "../../../src/testing/index.ts";
import { realAgent, type RealAgent } from "../support/real-agent.ts";

function agentIn({ env }: Pick<RealAgent, "env">): Agent {
  const redact = createRedactor(env);
  const shared = { env, deadlines: { ...defaultDeadlines, probe: 60_000 }, limits: defaultLimits, redact };
  return createAgent({ ...shared, processes: createProcesses({ ...shared, guardian: false }) });
}

test("accepts another service's key as sign-in, and otherwise asks for OpenAI's", async () => {
  const real = await realAgent("codex");
  expect(await agentIn(real).probe()).toMatchObject({
    ready: true,
    version: "0.166.0",
    signedIn: "yes",
    signedInHow: "API key (SCRIPTED_KEY)",
  });
  rmSync(join(real.home, ".codex", "config.toml"));
  expect(await agentIn(real).probe()).toMatchObject({ ready: false, signedIn: "no", help: /codex login/ });
  expect(real.model.requests).toEqual([]);
});

test("uses a key in the environment when nobody is signed in, without saving it", async () => {
  const real = await realAgent("codex");
  const config = join(real.home, ".codex", "config.toml");
  const own = readFileSync(config, "utf8");
  writeFileSync(config, own.replace('model_provider = "scripted"', `openai_base_url = "${real.model.url}/v1"`));
  const env = { ...real.env, OPENAI_API_KEY: "sk-made-up-for-a-test" };
  expect(await agentIn({ env }).probe()).toMatchObject({ ready: true, signedInHow: "API key (OPENAI_API_KEY)" });
  const withKey = await real.session({ mode: "ask" }, real.another({ env }));
  const { result } = await real.turn(withKey, scenarioPrompt("text"));
  const sent = () => real.model.requests.filter(({ method }) => method === "POST").at(-1)?.headers["authorization"];
  expect(sent()).toBe("[redacted]");
  expect(existsSync(join(real.home, ".codex", "auth.json"))).toBe(false);
  await withKey.close();
  // Sign in now, and remove the variable.
  const words = { env: real.env, input: "sk-made-up\n" };
  expect(spawnSync(real.env["REINS_CODEX_COMMAND"]!, ["login", "--with-api-key"], words).status).toBe(0);
  const again = real.session({ mode: "ask", resume: result.state });
  await expect(again).rejects.toMatchObject({ code: "not_authenticated" });
  await real.turn(await real.session({ mode: "ask" }), scenarioPrompt("text"));
  expect(sent()).toBe("[redacted]");
});

test("lists its models and its MCP servers", async () => {
  const real = await realAgent("codex");
  const { manage } = agentIn(real);
  const models = await manage.models!();
  expect(models.find(({ current }) => current)).toMatchObject({
    id: "gpt-5.5",
    thinking: expect.arrayContaining(["high"]),
  });
  expect(models.filter((model) => model.default)).toHaveLength(1);
  const config = join(real.home, ".codex", "config.toml");
  const servers =
    '[mcp_servers.files]\ncommand = "files"\nargs = ["--all"]\n[mcp_servers.web]\nurl = "http://127.0.0.1:1/mcp?key=secret"\nenabled = false\n';
  writeFileSync(config, servers);
  expect(await manage.mcp!.list!()).toEqual([
    { name: "files", target: "files --all", transport: "stdio", status: "unknown", detail: expect.any(String) },
    {
      name: "web",
      target: "http://127.0.0.1:1/mcp",
      transport: "http",
      status: "disabled",
      detail: expect.any(String),
    },
  ]);
  expect(real.model.requests).toEqual([]);
});
