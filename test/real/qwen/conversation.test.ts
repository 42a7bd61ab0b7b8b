/** Conversations: the agent's own commands, their usage, and resuming. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import type { ReinsEvent } from "../../../src/events/types.ts";
import { scenarioPrompt, type Scenario } from "../../../src/testing/index.ts";
import { all, one } from "../support/events.ts";
import { expectNone } from "../support/left.ts";
import { realAgent } from "../support/real-agent.ts";
import { agentPid, longShellRuns } from "./support/processes.ts";
import { asked } from "./support/requests.ts";
import { withoutMemory, writeSettings } from "./support/settings.ts";
import { writtenDown } from "./support/transcript.ts";

const echo = (words: string) => scenarioPrompt("echo", words);

test("compacts the conversation with /compress", async () => {
  const usage = { input: 50_000, output: 100 };
  const summary = "<analysis>Words.</analysis><state_snapshot>There were words.</state_snapshot>";
  const long: Scenario = {
    name: "long",
    steps: [
      [{ usage }, { say: "A long story." }],
      [{ when: "state_snapshot" }, { usage }, { say: summary }],
    ],
  };
  const real = await realAgent("qwen", { scenarios: [long] });
  const session = await real.session();
  for (let turns = 0; turns < 3; turns++)
    await real.turn(session, `${"word ".repeat(2_000)} ${scenarioPrompt("long")}`);
  const { result, events } = await real.turn(session, "/compress");
  expect(result.outcome).toBe("done");
  expect(one(events, "context.compacted")).toMatchObject({ trigger: "manual" });
  expect((await real.turn(session, echo("after"))).result.text).toBe("after");
});

test("starts another conversation with /clear, which can be resumed; other commands need no model, or do not exist", async () => {
  const real = await realAgent("qwen");
  const session = await real.session();
  const before = (await real.turn(session, echo("forget-me"))).result.state;
  const { commands } = all(real.said(session), "session.updated").find((event) => event.commands !== undefined)!;
  expect(commands!.map((command) => command.name)).toEqual(expect.arrayContaining(["compress", "clear", "context"]));
  const { result, events } = await real.turn(session, "/clear");
  expect(all(events, "session.updated")).toMatchObject([{ reset: true, state: result.state, by: "agent" }]);
  expect(result.state).not.toBe(before);
  expect((await real.turn(session, "/context")).result.text).toContain("Context");
  const help = await real.turn(session, "/help");
  expect(help.result).toMatchObject({ outcome: "failed", error: { message: expect.stringContaining("/help") } });
  const after = await real.turn(session, echo("remember-me"));
  await session.close();
  await real.turn(await real.session({ resume: after.result.state }), echo("later"));
  expect(asked(real.model).at(-1)!.messages).toContain("remember-me");
  expect(asked(real.model).at(-1)!.messages).not.toContain("forget-me");
});

test("accepts a prompt that looks like an option, a command or a mention, and with unusual line separators", async () => {
  const real = await realAgent("qwen");
  const session = await real.session();
  for (const prompt of ["--help me", "-p", "/no-such-command at all", "@nobody", "!ls", "a\u2028b\u2029c\u0085d"]) {
    const { result } = await real.turn(session, `${prompt}\n${echo("heard")}`);
    expect({ prompt, text: result.text }).toEqual({ prompt, text: "heard" });
    expect(asked(real.model).at(-1)?.messages).toContain(prompt);
  }
});

test("counts the agent's own model requests, outside the next process's turn", async () => {
  const real = await realAgent("qwen");
  const first = await real.session();
  const { result } = await real.turn(first, scenarioPrompt("text"));
  expect(real.model.requests.map((request) => request.kind)).toEqual(["answer", "side"]);
  expect(result.usage).toMatchObject({ input: 200, output: 40 });
  await first.close();
  const second = await real.turn(await real.session({ resume: result.state }), scenarioPrompt("text"));
  expect(second.result.usage).toMatchObject({ input: 200, output: 40 });
});

test("reports cached input separately, and counts a subagent's tokens", async () => {
  const real = await realAgent("qwen");
  writeSettings(real.home, withoutMemory);
  const session = await real.session({ mode: "full" });
  const first = await real.turn(session, scenarioPrompt("usage"));
  // The wire does not separate cache writes from other input.
  expect(first.result.usage).toMatchObject({ input: 1_300, output: 200, cacheRead: 5_000 });
  expect(all(first.events, "usage.updated")[0]).toMatchObject({ context: { used: 6_500 } });
  expect(first.result.costUsd === undefined || first.result.costSource === "prices").toBe(true);
  const { result } = await real.turn(session, scenarioPrompt("subagent-permission"));
  expect(result.usage).toMatchObject({ input: 400, output: 80 });
});

test("keeps the key out of every event, wherever it occurs", async () => {
  const real = await realAgent("qwen");
  const key = real.env["OPENAI_API_KEY"]!;
  const session = await real.session({ mode: "full", raw: true });
  await real.turn(session, `${scenarioPrompt("echo", `The key is ${key}.`)} and again ${key}`);
  const { events } = await real.turn(session, scenarioPrompt("shell", `echo ${key}; env; cat /proc/self/environ`));
  expect(one(events, "tool.completed").output.text).toContain("PATH=");
  await session.close();
  await real.when(session, "process.exited");
  expect(JSON.stringify(real.said(session))).not.toContain(key.slice(8));
});

test("resumes only in the folder it was started in, also as a fork beside the original", async () => {
  const real = await realAgent("qwen");
  const first = await real.session();
  const { state } = (await real.turn(first, echo("original"))).result;
  const elsewhere = join(real.home, "elsewhere");
  mkdirSync(elsewhere);
  await expect(real.session({ resume: state, cwd: elsewhere })).rejects.toMatchObject({
    code: "session_not_found",
    help: expect.stringContaining("folder"),
  });
  const copy = await real.session({ resume: state, fork: true });
  const [one, other] = await Promise.all([real.turn(first, echo("one")), real.turn(copy, echo("other"))]);
  expect([one.result.text, other.result.text]).toEqual(["one", "other"]);
  expect(one.result.state).not.toBe(other.result.state);
});

test("starts over and says so when killed before it saved anything", async () => {
  const real = await realAgent("qwen");
  const session = await real.session();
  const turn = session.prompt(scenarioPrompt("late-text"));
  await real.when(session, "session.started");
  process.kill(agentPid(real.home), "SIGKILL");
  const { state } = await turn.result;
  const { result, events } = await real.turn(session, scenarioPrompt("text"));
  expect(result).toMatchObject({ outcome: "done", text: "Hello from the scripted model." });
  expect(result.state).not.toBe(state);
  expect(all(events, "session.updated").filter((event) => event.reset === true)).toHaveLength(1);
});

test("leaves no process after a kill of Reins while a tool runs, and the shown events are enough to resume", async () => {
  const real = await realAgent("qwen");
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
  const { result } = await real.turn(await real.session({ resume: state }), echo("back again"));
  expect(result).toMatchObject({ outcome: "done", text: "back again", state });
  expect(asked(real.model).at(-1)!.messages).toContain("scenario:long-shell");
});
