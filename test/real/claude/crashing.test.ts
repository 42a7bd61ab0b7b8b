/** Processes killed with SIGKILL: no process is left, and the conversation continues. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import type { ReinsEvent } from "../../../src/events/types.ts";
import { scenarioPrompt } from "../../../src/testing/index.ts";
import { all, one, whole } from "../support/events.ts";
import { expectNone } from "../support/left.ts";
import { realAgent } from "../support/real-agent.ts";
import { agentPid, isLongShell, longShellRuns } from "./support/processes.ts";
import { asked } from "./support/requests.ts";
import { writtenDown } from "./support/transcript.ts";

test("the agent is killed while a tool runs: the turn fails, the tool is gone, the next prompt works", async () => {
  const real = await realAgent("claude");
  const session = await real.session({ mode: "full" });
  const turn = session.prompt(scenarioPrompt("long-shell"));
  await longShellRuns(real.home);
  await writtenDown(real.home, "tail -f /dev/null");
  const killed = agentPid(real.home);
  process.kill(killed, "SIGKILL");
  const { result, events } = await whole(turn);
  expect(result).toMatchObject({
    outcome: "failed",
    error: { code: "agent_crashed", retryable: true },
    state: session.state,
  });
  expect(one(events, "tool.failed")).toMatchObject({ reason: "unfinished", synthetic: true });
  expect(one(events, "process.exited")).toMatchObject({ signal: "SIGKILL" });
  await expectNone(real.home, isLongShell);
  const next = await real.turn(session, scenarioPrompt("echo", "still-here"));
  expect(next.result).toMatchObject({ outcome: "done", text: "still-here", state: result.state });
  expect(asked(real.model).at(-1)!.messages).toContain("scenario:long-shell");
  expect(agentPid(real.home)).not.toBe(killed);
  expect(all(real.said(session), "session.started").map((event) => event.resumed)).toEqual([false, true]);
});

test("the agent is killed while text streams: the text so far is kept", async () => {
  const real = await realAgent("claude");
  const session = await real.session();
  const turn = session.prompt(scenarioPrompt("slow-text"));
  await real.when(session, "message.delta");
  await writtenDown(real.home, "scenario:slow-text");
  process.kill(agentPid(real.home), "SIGKILL");
  const result = await turn.result;
  expect(result).toMatchObject({ outcome: "failed", error: { code: "agent_crashed" } });
  expect(result.text).not.toBe("");
  expect("The first half, ").toContain(result.text);
  expect((await real.turn(session, scenarioPrompt("text"))).result).toMatchObject({
    outcome: "done",
    state: result.state,
  });
});

test("the agent is killed before it saved anything: the next prompt starts over and says so", async () => {
  const real = await realAgent("claude");
  const session = await real.session();
  const turn = session.prompt(scenarioPrompt("late-text"));
  await real.when(session, "session.started");
  process.kill(agentPid(real.home), "SIGKILL");
  const { state } = await turn.result;
  const { result, events } = await real.turn(session, scenarioPrompt("text"));
  expect(result).toMatchObject({ outcome: "done", text: "Hello from the scripted model." });
  expect(result.state).not.toBe(state);
  expect(all(events, "session.started")).toMatchObject([{ resumed: false }]);
  expect(all(events, "session.updated").filter((event) => event.reset === true)).toHaveLength(1);
});

test("the agent is killed at a permission: the request is settled, and a later answer is too late", async () => {
  const real = await realAgent("claude");
  const session = await real.session({ attended: true });
  const turn = session.prompt(scenarioPrompt("write"));
  const { requestId } = await real.when(session, "permission.requested");
  await writtenDown(real.home, "scenario:write");
  process.kill(agentPid(real.home), "SIGKILL");
  const { result, events } = await whole(turn);
  expect(result.error).toMatchObject({ code: "agent_crashed" });
  expect(one(events, "permission.resolved")).toMatchObject({ outcome: "cancelled" });
  expect(() => session.answer(requestId, "allow")).toThrow(expect.objectContaining({ code: "invalid_input" }));
  expect((await real.turn(session, scenarioPrompt("text"))).result.outcome).toBe("done");
});

test("the agent is killed between two turns", async () => {
  const real = await realAgent("claude");
  const session = await real.session();
  await real.turn(session, scenarioPrompt("echo", "before"));
  process.kill(agentPid(real.home), "SIGKILL");
  await real.when(session, "process.exited");
  const { result } = await real.turn(session, scenarioPrompt("echo", "after"));
  expect(result).toMatchObject({ outcome: "done", text: "after" });
  expect(asked(real.model).at(-1)!.messages).toContain("before");
});

test("the agent receives SIGTERM while a tool runs", async () => {
  const real = await realAgent("claude");
  const session = await real.session({ mode: "full" });
  const turn = session.prompt(scenarioPrompt("long-shell"));
  await longShellRuns(real.home);
  await writtenDown(real.home, "tail -f /dev/null");
  process.kill(agentPid(real.home), "SIGTERM");
  expect((await turn.result).error).toMatchObject({ code: "agent_crashed" });
  await expectNone(real.home, isLongShell);
  expect((await real.turn(session, scenarioPrompt("text"))).result.outcome).toBe("done");
});

test("another Reins resumes a session whose agent was killed while a tool ran", async () => {
  const real = await realAgent("claude");
  const first = await real.session({ mode: "full" });
  const turn = first.prompt(scenarioPrompt("long-shell"));
  await longShellRuns(real.home);
  await writtenDown(real.home, "tail -f /dev/null");
  process.kill(agentPid(real.home), "SIGKILL");
  const { state } = await turn.result;
  await real.reins.close();
  const second = await real.session({ resume: state, mode: "full" }, real.another());
  const { result } = await real.turn(second, scenarioPrompt("shell", "echo again"));
  expect(result).toMatchObject({ outcome: "done", text: expect.stringContaining("again") });
  expect(asked(real.model).at(-1)!.messages).toContain("scenario:long-shell");
});

test("a whole Reins is killed while a tool runs: no process is left, and the shown events are enough to resume", async () => {
  const real = await realAgent("claude");
  const script = fileURLToPath(new URL("./support/reins.ts", import.meta.url));
  const args = [script, real.cwd, scenarioPrompt("long-shell")];
  const owner = spawn(process.execPath, args, { env: real.env, stdio: ["ignore", "pipe", "inherit"] });
  const seen: ReinsEvent[] = [];
  for await (const line of createInterface({ input: owner.stdout })) {
    seen.push(JSON.parse(line) as ReinsEvent);
    if (seen.at(-1)!.type === "tool.started") break;
  }
  await longShellRuns(real.home);
  await writtenDown(real.home, "tail -f /dev/null");
  owner.kill("SIGKILL");
  await once(owner, "exit");
  await expectNone(real.home, () => true);
  const state = one(seen, "session.started").state;
  const session = await real.session({ resume: state });
  const { result } = await real.turn(session, scenarioPrompt("echo", "back again"));
  expect(result).toMatchObject({ outcome: "done", text: "back again", state });
  expect(asked(real.model).at(-1)!.messages).toContain("scenario:long-shell");
});
