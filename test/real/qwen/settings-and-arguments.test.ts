/** Around a session: readiness, settings, arguments, images. */
import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { scenarioPrompt } from "../../../src/testing/index.ts";
import { one } from "../support/events.ts";
import { realAgent } from "../support/real-agent.ts";
import { asked } from "./support/requests.ts";
import { writeSettings } from "./support/settings.ts";

const png = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==";

test("accepts a sign-in by key or settings, and says what to do without one, before a session and at its start", async () => {
  const real = await realAgent("qwen");
  expect(await real.reins.agent("qwen")).toMatchObject({
    ready: true,
    path: real.env["REINS_QWEN_COMMAND"],
    version: "0.24.4",
    signedInHow: "API key (OPENAI_API_KEY)",
  });
  const { OPENAI_API_KEY: _, ...env } = real.env;
  const reins = real.another({ env });
  expect(await reins.agent("qwen")).toMatchObject({ ready: false, help: expect.stringContaining("/auth") });
  await expect(real.session({}, reins)).rejects.toMatchObject({
    code: "not_authenticated",
    help: expect.stringContaining("/auth"),
  });
  expect(real.model.requests).toEqual([]);
});

test("lists its models and MCP servers from its settings", async () => {
  const real = await realAgent("qwen");
  const openai = [{ id: "my-model", name: "Mine", envKey: "OPENAI_API_KEY", baseUrl: real.env["OPENAI_BASE_URL"] }];
  writeSettings(real.home, {
    modelProviders: { openai },
    security: { auth: { selectedType: "openai" } },
    mcpServers: { bad: { command: "/nonexistent", args: ["x"] } },
  });
  const manage = await real.reins.manage("qwen");
  expect((await manage.models()).map((model) => model.id)).toContain("my-model");
  expect(await manage.mcp.list()).toMatchObject([{ name: "bad", target: "/nonexistent x", status: "failed" }]);
  expect(real.model.requests).toEqual([]);
});

test("sends images to the model and leaves no copies", async () => {
  const real = await realAgent("qwen");
  writeFileSync(join(real.cwd, "red.png"), Buffer.from(png, "base64"));
  const session = await real.session();
  const attachments = [
    { kind: "image", mediaType: "image/png", data: png, name: "given.png" },
    { kind: "image", path: "red.png" },
  ] as const;
  const { result, events } = await real.turn(session, { text: scenarioPrompt("image"), attachments });
  expect(result.text).toBe("I see 2 image(s).");
  expect(JSON.stringify(events)).not.toContain(png);
  await session.close();
  const left = readdirSync(join(real.home, ".qwen", "tmp"), { recursive: true, encoding: "utf8" });
  expect(left.filter((name) => name.includes("reins-"))).toEqual([]);
});

test("passes further arguments and variables, the workspace's instructions, and native messages", async () => {
  const real = await realAgent("qwen");
  writeFileSync(join(real.cwd, "QWEN.md"), "Always mention the weather.\n");
  const extraArgs = ["--core-tools", "read_file,run_shell_command"];
  const session = await real.session({ mode: "full", raw: true, extraArgs, env: { MY_OWN: "is here" } });
  const { result, events } = await real.turn(session, scenarioPrompt("shell", "echo it $MY_OWN"));
  expect(result.text).toContain("it is here");
  const { system, messages, tools } = asked(real.model)[0]!;
  expect(system + messages).toContain("Always mention the weather.");
  expect(tools).not.toContain("write_file");
  expect(one(events, "tool.started").raw).toMatchObject({ type: "assistant" });
});

test("reports an unknown argument in the program's own words, without a model request", async () => {
  const real = await realAgent("qwen");
  await expect(real.session({ extraArgs: ["--no-such-flag"] })).rejects.toMatchObject({
    code: "invalid_input",
    message: expect.stringContaining("such-flag"),
  });
  expect(real.model.requests).toEqual([]);
});
