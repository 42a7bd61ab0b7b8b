/** Behaviour that is specific to Copilot: what it remembers, text that looks like messages, and processes behind its loader. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { decodeState, encodeState } from "../../../src/protocols/acp/index.ts";
import { scenarioPrompt } from "../../../src/testing/index.ts";
import { acpEntry } from "../../support/toy.ts";
import { realAgent } from "../support/real-agent.ts";

const agentMode = "https://agentclientprotocol.com/protocol/session-modes#agent";
const autopilot = "https://agentclientprotocol.com/protocol/session-modes#autopilot";

test("resumes a session in its own mode although everything was allowed before", async () => {
  const real = await realAgent("copilot");
  const wide = acpEntry({
    id: "wide",
    command: real.env["REINS_COPILOT_COMMAND"] ?? "",
    args: ["--acp"],
    variables: Object.keys(real.env).filter((name) => name.startsWith("COPILOT_")),
    quirks: { modes: { full: { id: autopilot, options: { allow_all: "on" } } } },
  });
  const other = real.another({ agents: [wide] });
  const loose = await other.session({ agent: "wide", cwd: real.cwd, mode: "full" });
  await loose.prompt(scenarioPrompt("write", "loose.txt")).result;
  const conversation = decodeState("wide", "Wide", loose.state ?? "");
  await loose.close();
  expect(existsSync(join(real.cwd, "loose.txt"))).toBe(true);

  const asked: string[] = [];
  const session = await real.session({
    resume: encodeState("copilot", conversation),
    onPermission: ({ title }) => {
      asked.push(title);
      return "deny";
    },
  });
  expect(await real.when(session, "session.started")).toMatchObject({ mode: "ask", nativeMode: agentMode });
  const { result } = await real.turn(session, scenarioPrompt("write", "held.txt"));
  expect(asked).toEqual(["Write held.txt"]);
  expect(result).toMatchObject({ outcome: "failed", error: { code: "permission_denied" } });
  expect(existsSync(join(real.cwd, "held.txt"))).toBe(false);
});

test("keeps the conversation when switching to read and back, and has no changing tools in read", async () => {
  const real = await realAgent("copilot");
  const session = await real.session({ mode: "full" });
  await real.turn(session, scenarioPrompt("echo", "remember-me"));
  await session.configure({ mode: "read" });
  await real.turn(session, scenarioPrompt("write", "x.txt"));
  const tools = (real.model.requests.at(-1)!.body as { tools: { function: { name: string } }[] }).tools;
  expect(tools.map((tool) => tool.function.name).sort()).toEqual(["glob", "grep", "view"]);
  await session.configure({ mode: "edits" });
  const { result } = await real.turn(session, scenarioPrompt("write", "y.txt"));
  expect(result).toMatchObject({ outcome: "done", filesChanged: ["y.txt"] });
  expect(JSON.stringify(real.model.requests.at(-1)?.body)).toContain("remember-me");
  expect(existsSync(join(real.cwd, "x.txt"))).toBe(false);
  expect(real.said(session).filter(({ type }) => type === "session.started")).toHaveLength(1);
});

test("asks for a subagent's tools, and assigns them to its call", async () => {
  const real = await realAgent("copilot");
  const session = await real.session({ onPermission: () => "allow" });
  const { events } = await real.turn(session, scenarioPrompt("subagent-permission"));
  const task = events.find((event) => event.type === "tool.started" && event.tool === "task");
  const callId = task?.type === "tool.started" ? task.callId : "";
  expect(events.find(({ type }) => type === "permission.requested")).toMatchObject({ tool: "shell", parent: callId });
  expect(events.filter((event) => event.type === "message.completed" && event.parent === callId)).not.toEqual([]);
});

test("fails the turn when the service breaks off again and again, without doubled text", async () => {
  const real = await realAgent("copilot");
  const session = await real.session();
  const { result, events } = await real.turn(session, scenarioPrompt("cut"));
  expect(result).toMatchObject({ outcome: "failed", error: { code: "network" } });
  expect(events.filter(({ type }) => type === "message.discarded")).toHaveLength(5);
  expect(events.filter(({ type }) => type === "agent.retrying")).toHaveLength(5);
});

test("does not pass on the variable that allows everything", async () => {
  const real = await realAgent("copilot", { env: { COPILOT_ALLOW_ALL: "true" } });
  const session = await real.session();
  const { events } = await real.turn(session, scenarioPrompt("write", "x.txt"));
  expect(events.find(({ type }) => type === "permission.resolved")).toMatchObject({ outcome: "denied" });
  expect(existsSync(join(real.cwd, "x.txt"))).toBe(false);
});
