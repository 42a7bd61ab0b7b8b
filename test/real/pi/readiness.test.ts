/** Program, version, sign-in, and what to do next. */
import { rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { realAgent } from "../support/real-agent.ts";

test("is ready, lists its services and models, and says what it does not support", async () => {
  const real = await realAgent("pi");
  const status = await real.reins.agent("pi");
  expect(status).toMatchObject({ ready: true, version: "0.87.1", signedIn: "yes", signedInHow: "scripted" });
  expect(status.models).toMatchObject([
    { id: "scripted/scripted", provider: "scripted", thinking: true, contextSize: 200_000 },
    { id: "scripted/scripted-2" },
  ]);
  const manage = await real.reins.manage("pi");
  expect(await manage.update()).toMatchObject({ args: ["update"] });
  expect(await manage.about()).toContainEqual({
    label: "settings",
    value: join(real.home, ".pi/agent/settings.json"),
  });
  await expect(manage.login()).rejects.toMatchObject({
    code: "unsupported",
    help: expect.stringContaining("/login") as string,
  });
  await expect(manage.mcp.list()).rejects.toMatchObject({ code: "unsupported" });
});

test("is not ready without a service, and a session says what to do", async () => {
  const real = await realAgent("pi");
  rmSync(join(real.home, ".pi"), { recursive: true });
  expect(await real.reins.agent("pi")).toMatchObject({
    ready: false,
    installed: true,
    signedIn: "no",
    help: expect.stringContaining("/login") as string,
  });
  const { result } = await real.turn(await real.session(), "Hello.");
  expect(result).toMatchObject({
    outcome: "failed",
    error: { code: "not_authenticated", message: expect.stringMatching(/^No API key/) as string },
  });
});
