/** A version that does not speak ACP: the same program behind one that does not know the argument. */
import { chmodSync, existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { ReinsEvent, Session, SessionOptions } from "../../../src/index.ts";
import { scenarioPrompt } from "../../../src/testing/index.ts";
import { everything } from "../../support/toy.ts";
import { realAgent } from "../support/real-agent.ts";

async function older() {
  const real = await realAgent("copilot");
  const file = join(real.home, "older");
  const script = [
    `#!${process.execPath}`,
    `const args = process.argv.slice(2);`,
    `if (args.includes("--acp")) { console.error("error: unknown option '--acp'"); process.exit(1); }`,
    `const options = { stdio: "inherit" };`,
    `const child = require("node:child_process").spawn(${JSON.stringify(real.env["REINS_COPILOT_COMMAND"])}, args, options);`,
    `child.on("exit", (code) => process.exit(code ?? 1));`,
  ];
  writeFileSync(file, script.join("\n"));
  chmodSync(file, 0o755);
  const reins = real.another({ env: { ...real.env, REINS_COPILOT_COMMAND: file } });
  const open = (options: SessionOptions = {}) => reins.session({ agent: "copilot", cwd: real.cwd, ...options });
  return { real, open };
}

async function turnOf(session: Session, prompt: string) {
  const turn = session.prompt(prompt);
  const events: ReinsEvent[] = [];
  for await (const event of turn) events.push(event);
  return { result: await turn.result, events };
}

test("text, tools, denials, and the conversation goes on", async () => {
  const { real, open } = await older();
  const session = await open({ mode: "edits", systemPrompt: { text: "Be kind.", how: "append" } });
  const first = await turnOf(session, scenarioPrompt("write", "x.txt"));
  expect(first.result).toMatchObject({ outcome: "done", filesChanged: ["x.txt"] });
  expect(first.events.find(({ type }) => type === "notice")).toMatchObject({ code: "divergence" });
  expect(JSON.stringify(real.model.requests[0]?.body)).toContain("Be kind.");
  const second = await turnOf(session, scenarioPrompt("shell", "touch y.txt"));
  expect(second.events.find(({ type }) => type === "tool.failed")).toMatchObject({ reason: "denied" });
  expect(existsSync(join(real.cwd, "y.txt"))).toBe(false);
  await everything(session);
  const resumed = await open({ mode: "read", resume: second.result.state });
  const third = await turnOf(resumed, scenarioPrompt("text"));
  expect(third.result).toMatchObject({ outcome: "done", text: "Hello from the scripted model." });
  expect(JSON.stringify(real.model.requests.at(-1)?.body)).toContain("scenario:write");
  await everything(resumed);
});

test("it is cancelled, and a key that is refused is an error", async () => {
  const { open } = await older();
  const session = await open({});
  const turn = session.prompt(scenarioPrompt("slow-text"));
  for await (const event of turn) if (event.type === "message.delta") void turn.cancel();
  expect(await turn.result).toMatchObject({ outcome: "cancelled" });
  const { result } = await turnOf(session, scenarioPrompt("error-401"));
  expect(result).toMatchObject({ outcome: "failed", error: { code: "not_authenticated" } });
  await everything(session);
});
