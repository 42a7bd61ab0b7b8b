/** Readiness and management beside a conversation, without a model request. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { scenarioPrompt } from "../../../src/testing/index.ts";
import { one } from "../support/events.ts";
import { realAgent } from "../support/real-agent.ts";

const server = fileURLToPath(new URL("../support/mcp-server.ts", import.meta.url));

test("reports program, version, sign-in, models, MCP servers and key", async () => {
  const real = await realAgent("gemini");
  const status = await real.reins.agent("gemini");
  expect(status).toMatchObject({ ready: true, version: "0.61.0", signedInHow: "API key (GEMINI_API_KEY)" });
  expect(JSON.stringify(status)).not.toContain(real.env["GEMINI_API_KEY"]);
  const manage = await real.reins.manage("gemini");
  const models = await manage.models!();
  expect(models.find(({ id }) => id === "auto")).toMatchObject({ default: true });
  expect(models.filter(({ id }) => id.startsWith("gemini-")).length).toBeGreaterThan(2);
  expect(await manage.verify!()).toMatchObject({ outcome: "works" });
  const mcpServers = { good: { command: process.execPath, args: [server] }, bad: { command: "/no/such" } };
  writeFileSync(join(real.home, ".gemini", "settings.json"), JSON.stringify({ mcpServers }));
  expect(await manage.mcp!.list!()).toMatchObject([
    { name: "good", transport: "stdio", status: "connected" },
    { name: "bad", target: "/no/such", status: "failed" },
  ]);
  expect(real.model.requests.filter(({ kind }) => kind === "answer")).toEqual([]);
});

test("says what to do when nobody is signed in, before a session and at a prompt", async () => {
  const real = await realAgent("gemini");
  const { GEMINI_API_KEY: _key, GOOGLE_GEMINI_BASE_URL: _url, ...env } = real.env;
  writeFileSync(join(real.home, ".gemini", "settings.json"), "{}");
  const reins = real.another({ env });
  const help = "Run `gemini` and sign in there, or set GEMINI_API_KEY.";
  expect(await reins.agent("gemini")).toMatchObject({ ready: false, signedIn: "no", help });
  const session = reins.session({ agent: "gemini", cwd: real.cwd });
  await expect(session).rejects.toMatchObject({ code: "not_authenticated", help });
});

test("starts, resumes and shows command output with only a key in the environment, by our defaults", async () => {
  // The program reads such defaults only from a folder that nobody else can write to, which a temporary folder is not.
  const place = mkdtempSync(join(process.env["REINS_AGENT_CACHE"]!, "home-"));
  onTestFinished(() => rmSync(place, { recursive: true, force: true }));
  const real = await realAgent("gemini");
  writeFileSync(join(real.home, ".gemini", "settings.json"), "{}");
  mkdirSync(place, { recursive: true });
  const env = { ...real.env, REINS_HOME: place };
  const first = real.another({ env });
  const session = await real.session({}, first);
  const { result, events } = await real.turn(session, scenarioPrompt("shell", "echo hi"));
  expect(one(events, "tool.completed").output.text).toBe("hi");
  await first.close();
  const second = await real.session({ resume: result.state }, real.another({ env }));
  expect((await real.turn(second, scenarioPrompt("text"))).result.outcome).toBe("done");
});
