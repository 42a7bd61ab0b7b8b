import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { nativePlace } from "../../../test/support/native.ts";
import type { AgentContext } from "../contract.ts";
import { management } from "./manage.ts";

const everything = (url: string) => ({
  ANTHROPIC_API_KEY: "made-up-a",
  ANTHROPIC_BASE_URL: url,
  OPENAI_API_KEY: "made-up-o",
  OPENAI_BASE_URL: `${url}/v1`,
  GEMINI_API_KEY: "made-up-g",
  GOOGLE_GEMINI_BASE_URL: url,
});

test("lists models of every service with its name, and marks the default", async () => {
  const { context } = await nativePlace({ envOf: everything, env: { REINS_NATIVE_MODEL: "openai/scripted" } });
  const models = await management(context).models!();
  expect(new Set(models.map(({ provider }) => provider))).toEqual(new Set(["anthropic", "openai", "google"]));
  expect(models.every(({ id, provider }) => id.startsWith(`${provider}/`) && !id.includes("models/"))).toBe(true);
});

async function answering(status: number, body: unknown): Promise<string> {
  const server = createServer((_request, response) =>
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body)),
  );
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const contextWith = (env: Record<string, string>): AgentContext =>
  ({ env, deadlines: { request: 5_000 } }) as unknown as AgentContext;

test.each([
  [200, { data: [] }, "works", /^Anthropic accepts the key in ANTHROPIC_API_KEY\.$/],
  [
    401,
    { error: { message: "invalid x-api-key" } },
    "refused",
    /^Anthropic refuses ANTHROPIC_API_KEY: invalid x-api-key/,
  ],
  [500, {}, "unreachable", /^Anthropic could not be asked: It answered with status 500\./],
])("checks a key by listing models: status %i", async (status, body, outcome, message) => {
  const env = { ANTHROPIC_API_KEY: "made-up", ANTHROPIC_BASE_URL: await answering(status, body) };
  const verified = await management(contextWith(env)).verify!();
  expect(verified).toEqual({ outcome, message: expect.stringMatching(message) as string });
  expect(JSON.stringify(verified)).not.toContain("made-up");
});

test("handles no key, an unreachable service, and several keys of which the one in use counts", async () => {
  expect(await management(contextWith({})).verify!()).toMatchObject({ outcome: "no_key" });
  const nobody = { OPENAI_API_KEY: "x", OPENAI_BASE_URL: "http://127.0.0.1:1/v1" };
  expect(await management(contextWith(nobody)).verify!()).toMatchObject({ outcome: "unreachable" });
  const both = { ...nobody, GEMINI_API_KEY: "y", GOOGLE_GEMINI_BASE_URL: await answering(200, { models: [] }) };
  expect(await management(contextWith(both)).verify!()).toMatchObject({ outcome: "unreachable" });
  expect(await management(contextWith({ ...both, REINS_NATIVE_MODEL: "google/x" })).verify!()).toMatchObject({
    outcome: "works",
  });
});

test("reads the model lists of services, without models for other uses", async () => {
  const url = await answering(200, {
    models: [
      {
        name: "models/gemini-x",
        displayName: "Gemini X",
        inputTokenLimit: 1000,
        thinking: true,
        supportedGenerationMethods: ["generateContent"],
      },
      { name: "models/embed", supportedGenerationMethods: ["embedContent"] },
      { strange: true },
      null,
    ],
  });
  const env = { GEMINI_API_KEY: "x", GOOGLE_GEMINI_BASE_URL: url };
  expect(await management(contextWith(env)).models!()).toEqual([
    { id: "google/gemini-x", label: "Gemini X", provider: "google", contextSize: 1000, thinking: true },
  ]);
});

test("hides no other service when one fails, and throws when it is the only one", async () => {
  const broken = { OPENAI_API_KEY: "x", OPENAI_BASE_URL: await answering(401, {}) };
  await expect(management(contextWith(broken)).models!()).rejects.toMatchObject({ code: "not_authenticated" });
  const env = {
    ...broken,
    ANTHROPIC_API_KEY: "y",
    ANTHROPIC_BASE_URL: await answering(200, { data: [{ id: "claude-sonnet-5-5" }] }),
  };
  expect(await management(contextWith(env)).models!()).toMatchObject([
    { id: "anthropic/claude-sonnet-5-5", default: true },
  ]);
});

test("names services and folders, but no key", async () => {
  const env = { ANTHROPIC_API_KEY: "made-up", REINS_HOME: "/somewhere" };
  const facts = await management(contextWith(env)).about!();
  expect(facts).toEqual(
    expect.arrayContaining([
      { label: "Anthropic", value: "https://api.anthropic.com, by ANTHROPIC_API_KEY" },
      { label: "Model", value: "anthropic/claude-sonnet-5-5" },
      { label: "Conversations", value: "/somewhere/native" },
    ]),
  );
  expect(JSON.stringify(facts)).not.toContain("made-up");
  expect(Object.keys(management(contextWith({})).instead ?? {})).toEqual(
    expect.arrayContaining(["login", "logout", "update"]),
  );
});
