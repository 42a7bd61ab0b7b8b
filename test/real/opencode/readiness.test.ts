/** Program, version, sign-in, models and MCP servers. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { realAgent } from "../support/real-agent.ts";

test("reports what it is, what it can use and what to do", { timeout: 240_000 }, async () => {
  const real = await realAgent("opencode", { env: { OPENAI_API_KEY: "made-up" } });
  const settings = join(real.home, ".config/opencode");
  mkdirSync(settings, { recursive: true });
  const servers = {
    nowhere: { type: "local", command: ["/nowhere/at-all", "--x"] },
    off: { type: "remote", url: "http://user:secret@127.0.0.1:9/mcp?key=secret", enabled: false },
  };
  writeFileSync(join(settings, "opencode.json"), JSON.stringify({ mcp: servers }));
  const reins = real.another({ deadlines: { probe: 60_000 } });
  expect(await reins.agent("opencode")).toMatchObject({
    ready: true,
    version: "1.18.33",
    signedIn: "yes",
    signedInHow: "API key (OPENAI_API_KEY)",
  });
  const manage = await reins.manage("opencode");
  expect(await manage.models()).toMatchObject([
    { id: "scripted/scripted", provider: "Scripted", current: true, contextSize: 200_000 },
    { id: "scripted/scripted-2" },
    { id: "scripted/gpt-5-scripted" },
  ]);
  expect(await manage.mcp.list()).toMatchObject([
    { name: "nowhere", target: "/nowhere/at-all --x", transport: "stdio", status: "failed" },
    { name: "off", target: "http://127.0.0.1:9/mcp", status: "disabled" },
  ]);
  expect(await manage.login()).toMatchObject({ args: ["auth", "login"] });
  expect(await manage.update()).toMatchObject({ args: ["upgrade"] });
  expect(await manage.mcp.login("off")).toMatchObject({ args: ["mcp", "auth", "off"] });
  expect(await manage.about()).toContainEqual({ label: "settings", value: join(settings, "opencode.json") });
});
