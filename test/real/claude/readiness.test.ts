/** Readiness, found out without a model request. */
import { expect, test } from "vitest";
import { realAgent } from "../support/real-agent.ts";
import { scenarioPrompt } from "../../../src/testing/index.ts";
import { withToken } from "./support/token.ts";

test("is ready with a key", async () => {
  const real = await realAgent("claude");
  const status = await real.reins.agent("claude");
  expect(status).toMatchObject({
    ready: true,
    installed: true,
    path: real.env["REINS_CLAUDE_COMMAND"],
    version: "2.1.325",
    signedIn: "yes",
    signedInHow: "API key (ANTHROPIC_API_KEY)",
  });
  expect(status.help).toBeUndefined();
  expect(JSON.stringify(status)).not.toContain(real.env["ANTHROPIC_API_KEY"]);
  expect(real.model.requests).toEqual([]);
});

test("is ready with a token", async () => {
  const real = await realAgent("claude");
  const status = await real.another({ env: withToken(real.env) }).agent("claude");
  expect(status).toMatchObject({ ready: true, signedIn: "yes" });
});

test("says what to do without a key, before a session and at a prompt", async () => {
  const real = await realAgent("claude");
  const { ANTHROPIC_API_KEY: _, ...env } = real.env;
  const reins = real.another({ env });
  const status = await reins.agent("claude");
  expect(status).toMatchObject({
    ready: false,
    installed: true,
    signedIn: "no",
    help: expect.stringContaining("claude auth login"),
  });
  const { result } = await real.turn(await real.session({}, reins), scenarioPrompt("text"));
  expect(result).toMatchObject({
    outcome: "failed",
    error: { code: "not_authenticated", help: expect.stringContaining("claude auth login") },
  });
  expect(real.model.requests).toEqual([]);
});

test("reports a missing program", async () => {
  const real = await realAgent("claude");
  const reins = real.another({ env: { ...real.env, REINS_CLAUDE_COMMAND: "/no/such/claude" } });
  expect(await reins.agent("claude")).toMatchObject({
    ready: false,
    installed: false,
    help: expect.stringContaining("npm install"),
  });
  await expect(reins.session({ agent: "claude", cwd: real.cwd })).rejects.toMatchObject({
    code: "not_installed",
    help: expect.stringContaining("npm install"),
  });
});

test("lists its models from the program itself", async () => {
  const real = await realAgent("claude");
  const manage = await real.reins.manage("claude");
  const models = await manage.models();
  expect(models.map((model) => model.id)).toEqual(expect.arrayContaining(["opus", "sonnet", "haiku"]));
  expect(real.model.requests).toEqual([]);
});
