/** Managing the real program. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { realAgent } from "../support/real-agent.ts";

test("reports program, version, sign-in, models and MCP servers", async () => {
  const real = await realAgent("copilot");
  mkdirSync(join(real.home, ".copilot"), { recursive: true });
  const servers = { toy: { type: "local", command: "toy", args: [], env: { TOKEN: "secret-word" }, tools: ["*"] } };
  writeFileSync(join(real.home, ".copilot", "mcp-config.json"), JSON.stringify({ mcpServers: servers }));
  expect(await real.reins.agent("copilot")).toMatchObject({
    ready: true,
    version: "1.0.102",
    signedIn: "yes",
    // With a custom model service it lists none.
    models: [],
  });
  const manage = await real.reins.manage("copilot");
  expect(await manage.mcp.list()).toEqual([{ name: "toy", target: "toy", transport: "stdio", status: "unknown" }]);
  await manage.mcp.disable("toy");
  expect(await manage.mcp.list()).toMatchObject([{ name: "toy", status: "disabled" }]);
  await manage.mcp.enable("toy");
  expect(await manage.mcp.list()).toMatchObject([{ name: "toy", status: "unknown" }]);
  await expect(manage.mcp.disable("nobody")).rejects.toMatchObject({ code: "invalid_input" });
  await expect(manage.logout()).rejects.toMatchObject({
    code: "unsupported",
    help: expect.stringContaining("/logout"),
  });
});

test("says so when nobody is signed in, and a session says how to sign in", async () => {
  const real = await realAgent("copilot");
  const { PATH = "", HOME = "" } = real.env;
  const env = { PATH, HOME, REINS_COPILOT_COMMAND: real.env["REINS_COPILOT_COMMAND"] ?? "" };
  const reins = real.another({ env });
  const help = expect.stringContaining("copilot login") as string;
  expect(await reins.agent("copilot")).toMatchObject({ ready: false, signedIn: "no", help });
  await expect(reins.session({ agent: "copilot", cwd: real.cwd })).rejects.toMatchObject({
    code: "not_authenticated",
    help,
  });
});
