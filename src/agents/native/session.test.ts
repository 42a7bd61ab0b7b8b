/** Sessions with a scripted model and without a core. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test, vi } from "vitest";
import { Drive, only } from "../../../test/support/drive.ts";
import { nativePlace } from "../../../test/support/native.ts";
import type { AgentEvent } from "../../events/types.ts";
import type { AgentSession } from "../contract.ts";
import { scenarioPrompt, type LoggedRequest, type Scenario } from "../../testing/index.ts";
import { createAgent } from "./index.ts";

const ended = (event: AgentEvent): boolean => event.type === "turn.ended";
const texts = (events: readonly AgentEvent[]): string[] => only(events, "message.completed").map(({ text }) => text);
const allow = { permission: { decision: "allow" } } as const;

/** The messages of the model's last request, as one text. */
function sent(requests: readonly LoggedRequest[]): string {
  const { body } = requests.filter(({ kind }) => kind !== "side").at(-1)!;
  return JSON.stringify((body as { messages: unknown }).messages);
}

/** Cancels while the model speaks; the text until then was reported. */
async function cancelHalfway(drive: Drive, session: AgentSession): Promise<void> {
  await session.prompt({ text: scenarioPrompt("slow-text") });
  await drive.until(({ type }) => type === "message.delta");
  await session.cancel();
  const events = await drive.until(ended);
  expect(texts(events)).toEqual(["The first half, "]);
  expect(events.at(-1)).toMatchObject({ outcome: "cancelled" });
}

describe("a session", () => {
  test("introduces itself, and writes nothing until the first prompt", async () => {
    const { open, home, cwd } = await nativePlace();
    const { drive, session } = await open({ mode: "edits" });
    expect(existsSync(join(home, "reins/native"))).toBe(false);
    await drive.turn(scenarioPrompt("text"));
    expect(drive.events[0]).toMatchObject({
      type: "session.started",
      model: "anthropic/claude-sonnet-5-5",
      mode: "edits",
      cwd,
      resumed: false,
      tools: expect.arrayContaining(["read", "shell", "task"]) as string[],
      state: session.state,
    });
    expect(readdirSync(join(home, "reins/native"))).toEqual([`${session.state?.slice("native:1:".length)}.ndjson`]);
  });

  test("reports an option that the service does not support once, and prints nothing", async () => {
    const printed: unknown[] = [];
    const listen = (warning: Error): number => printed.push(warning);
    process.on("warning", listen);
    const warn = vi.spyOn(console, "warn").mockImplementation((...words) => void printed.push(words));
    const { open } = await nativePlace({ env: { REINS_NATIVE_THINKING: "minimal" } });
    const { drive } = await open();
    const [first, second] = [await drive.turn(scenarioPrompt("text")), await drive.turn(scenarioPrompt("text"))];
    await new Promise((resolve) => setImmediate(resolve));
    process.off("warning", listen);
    warn.mockRestore();
    expect(only(first, "notice")).toMatchObject([
      { code: "divergence", message: expect.stringContaining("reasoning") as string },
    ]);
    expect(only(second, "notice")).toEqual([]);
    expect(printed).toEqual([]);
  });

  test("takes one prompt at a time, and none after close", async () => {
    const { open } = await nativePlace();
    const { drive, session } = await open();
    await session.prompt({ text: scenarioPrompt("slow-text") });
    await expect(session.prompt({ text: "again" })).rejects.toMatchObject({ code: "session_busy" });
    await session.cancel();
    await drive.until(ended);
    await session.close();
    await expect(session.prompt({ text: "again" })).rejects.toMatchObject({ code: "session_not_found" });
    await expect(session.steer?.({ text: "again" })).rejects.toMatchObject({ code: "invalid_input" });
  });

  test("rejects an empty prompt, an unknown model and a rule as a tool's name", async () => {
    const { open } = await nativePlace();
    const { session } = await open();
    await expect(session.prompt({ text: " " })).rejects.toMatchObject({ code: "invalid_input" });
    await expect(session.configure({ model: "google/x" })).rejects.toMatchObject({ code: "not_authenticated" });
    await expect(open({ model: "frobnicator" })).rejects.toMatchObject({ code: "model_unknown" });
    const rule = { disallowed: ["shell(git push)"] };
    await expect(open({ tools: rule })).rejects.toMatchObject({ code: "invalid_input" });
  });

  test("keeps the text of a cancelled answer in the conversation", async () => {
    const { open, model } = await nativePlace();
    const { drive, session } = await open();
    await cancelHalfway(drive, session);
    await drive.turn(scenarioPrompt("text"));
    expect(sent(model.requests)).toContain("The first half, ");
  });

  test("does not wait on a cancel for a service that ignores it", async () => {
    const { context, cwd } = await nativePlace();
    const deaf: typeof fetch = (address, init) => fetch(address, { ...init, signal: null });
    const session = await createAgent({ ...context, fetch: deaf }).open({ sessionId: "ses_deaf", cwd, mode: "ask" });
    const drive = new Drive(session);
    await cancelHalfway(drive, session);
    await session.close();
  });

  test("cancels a prompt that has not begun, also when nobody reads", async () => {
    const { open, model } = await nativePlace();
    const { drive, session } = await open();
    const prompted = session.prompt({ text: scenarioPrompt("text") });
    await session.cancel();
    await prompted;
    expect((await drive.until(ended)).at(-1)).toMatchObject({ outcome: "cancelled" });
    expect(model.requests).toEqual([]);
    await session.prompt({ text: scenarioPrompt("huge", "3000000") });
    await model.waitFor(({ scenario }) => scenario === "huge");
    await session.cancel();
    expect((await drive.until(ended)).at(-1)).toMatchObject({ outcome: "cancelled" });
  });

  test("tells the model about a denied call and continues; stop ends the turn with a complete conversation", async () => {
    const { open, model } = await nativePlace();
    const { drive } = await open();
    const denied = await drive.turn(scenarioPrompt("shell"), { permission: { decision: "deny", message: "Not now." } });
    expect(texts(denied)).toContain("It printed: Not now.");
    const stopped = await drive.turn(scenarioPrompt("two-tools"), { permission: { decision: "deny", stop: true } });
    expect(stopped.at(-1)).toMatchObject({ type: "turn.ended", outcome: "cancelled" });
    await drive.turn(scenarioPrompt("text"));
    expect(sent(model.requests).match(/tool_use_id/g)).toHaveLength(3);
  });
});

describe("steering", () => {
  test("is added between two requests, or after the answer that would have been the last", async () => {
    const { open, model } = await nativePlace();
    const { drive, session } = await open({ mode: "full" });
    await session.prompt({ text: scenarioPrompt("shell", "cat fifo") });
    await drive.until(({ type }) => type === "message.delta");
    await session.steer?.({ text: "Also look left." });
    await drive.until(ended, allow);
    expect(sent(model.requests)).toContain("Also look left.");

    await session.prompt({ text: scenarioPrompt("slow-text") });
    await drive.until(({ type }) => type === "message.delta");
    await session.steer?.({ text: scenarioPrompt("echo", "I heard you.") });
    model.release("slow");
    expect(texts(await drive.until(ended))).toEqual(["The first half, and the second.", "I heard you."]);
  });
});

describe("resuming", () => {
  test("continues from a state with all messages, and forks without changing the original", async () => {
    const { open, model, home } = await nativePlace();
    const first = await open();
    await first.drive.turn(scenarioPrompt("echo", "Remember me."));
    const { state } = first.session;
    await first.session.close();
    const copy = await open({ state, fork: true });
    await copy.drive.turn(scenarioPrompt("text"));
    expect(sent(model.requests)).toContain("Remember me.");
    expect(copy.session.state).not.toBe(state);
    const again = await open({ state });
    expect(again.session.state).toBe(state);
    await again.drive.turn(scenarioPrompt("text"));
    expect(sent(model.requests).match(/scenario:/g)).toHaveLength(2);
    expect(again.drive.events[0]).toMatchObject({ resumed: true });
    expect(readdirSync(join(home, "reins/native"))).toHaveLength(2);
  });

  test("continues from a history", async () => {
    const { open, model } = await nativePlace();
    const history = [
      { role: "person", text: "I am Ada." },
      { role: "agent", text: "Hello, Ada." },
    ] as const;
    const { drive } = await open({ history });
    await drive.turn(scenarioPrompt("text"));
    expect(sent(model.requests)).toMatch(/I am Ada\..*Hello, Ada\..*scenario:text/);
  });

  test("continues after unfinished calls", async () => {
    const { open, model, home } = await nativePlace();
    const first = await open();
    await first.session.prompt({ text: scenarioPrompt("write", "a.txt") });
    await first.drive.until(({ type }) => type === "permission.requested");
    const [name] = readdirSync(join(home, "reins/native"));
    // As a kill would leave it: the call is there, but no result.
    const killed = readFileSync(join(home, "reins/native", name!), "utf8");
    expect(killed).toContain('"tool-call"');
    await first.session.close();
    writeFileSync(join(home, "reins/native", name!), killed);
    const { drive } = await open({ state: first.session.state });
    await drive.turn(scenarioPrompt("text"));
    expect(sent(model.requests)).toContain("the agent was ended in the middle of it");
  });

  test("continues with a model of another service, without the first one's signatures", async () => {
    const envOf = (url: string) => ({
      ANTHROPIC_API_KEY: "made-up",
      ANTHROPIC_BASE_URL: url,
      GEMINI_API_KEY: "made-up",
      GOOGLE_GEMINI_BASE_URL: url,
    });
    const { open, model } = await nativePlace({ envOf });
    const { drive, session } = await open({ mode: "full" });
    await drive.turn(scenarioPrompt("write", "a.txt"));
    await session.configure({ model: "google/gemini-2.5-pro" });
    expect(texts(await drive.turn(scenarioPrompt("text")))).toEqual(["Hello from the scripted model."]);
    await session.configure({ model: "anthropic/claude-opus-5-5" });
    expect((await drive.turn(scenarioPrompt("text"))).at(-1)).toMatchObject({ outcome: "done" });
    expect((model.requests.at(-1)!.body as { model: string }).model).toBe("claude-opus-5-5");
    expect(model.requests.every(({ status }) => status === 200)).toBe(true);
  });
});

describe("limits of the conversation", () => {
  const full: Scenario = {
    name: "full",
    steps: [[{ usage: { input: 900, output: 20 } }, { say: "I am nearly full." }]],
  };

  test("summarises the conversation when the context is nearly full", async () => {
    const { open, model } = await nativePlace({ scenarios: [full], env: { REINS_NATIVE_CONTEXT: "1000" } });
    const { drive, session } = await open();
    expect(only(await drive.turn(scenarioPrompt("full")), "usage.updated")).toMatchObject([
      { context: { used: 920, size: 1000 } },
    ]);
    const events = await drive.turn(scenarioPrompt("text"));
    expect(only(events, "context.compacted")).toMatchObject([{ trigger: "auto", before: 920 }]);
    expect(sent(model.requests)).not.toContain("I am nearly full.");
    expect(sent(model.requests)).toContain("A scripted answer");
    // The summary was paid for too.
    expect(events.at(-1)).toMatchObject({ usage: { input: 200, output: 40 } });
    await session.close();
    const again = await open({ state: session.state });
    await again.drive.turn(scenarioPrompt("text"));
    expect(sent(model.requests)).toContain("A scripted answer");
  });

  test("summarises once when the service says that it is too long", async () => {
    const { open } = await nativePlace();
    const { drive } = await open();
    expect((await drive.turn(scenarioPrompt("prompt-too-long"))).at(-1)).toMatchObject({
      error: { code: "context_too_long" },
    });
    await drive.turn(scenarioPrompt("text"));
    const events = await drive.turn(scenarioPrompt("prompt-too-long"));
    expect(only(events, "context.compacted")).toHaveLength(1);
    expect(events.at(-1)).toMatchObject({ outcome: "failed", error: { code: "context_too_long" } });
  });

  test("compacts on request, also when there is nothing to summarise", async () => {
    const { open } = await nativePlace();
    const { drive } = await open();
    expect((await drive.turn("/compact")).at(-1)).toMatchObject({ outcome: "done" });
    await drive.turn(scenarioPrompt("text"));
    expect(only(await drive.turn("/compact"), "context.compacted")).toMatchObject([{ trigger: "manual" }]);
  });

  test("counts rounds", async () => {
    const { open } = await nativePlace();
    const { drive } = await open({ mode: "full", maxTurns: 2 });
    const events = await drive.turn(scenarioPrompt("loop"));
    expect(only(events, "tool.started")).toHaveLength(2);
    expect(events.at(-1)).toMatchObject({ outcome: "max_turns" });
  });
});

describe("failures of the service", () => {
  test("are retried visibly, and the fallback model takes over", async () => {
    const { open, model } = await nativePlace();
    const { drive } = await open({ fallbackModel: "claude-haiku-5-5" });
    const events = await drive.turn(scenarioPrompt("error-529-thrice"));
    expect(only(events, "agent.retrying").map(({ attempt, ofMax }) => [attempt, ofMax])).toEqual([
      [1, 2],
      [2, 2],
    ]);
    expect(only(events, "session.updated")).toMatchObject([{ model: "anthropic/claude-haiku-5-5", by: "agent" }]);
    expect(texts(events)).toEqual(["It worked in the end."]);
    expect(model.requests.map(({ body }) => (body as { model: string }).model)).toEqual([
      "claude-sonnet-5-5",
      "claude-sonnet-5-5",
      "claude-sonnet-5-5",
      "claude-haiku-5-5",
    ]);
  });

  test("end the wait for another attempt on a cancel", async () => {
    const { open } = await nativePlace();
    const { drive, session } = await open();
    await session.prompt({ text: scenarioPrompt("error-500") });
    await drive.until(({ type }) => type === "agent.retrying");
    await session.cancel();
    expect((await drive.until(ended)).at(-1)).toMatchObject({ outcome: "cancelled" });
  });
});

describe("tasks", () => {
  test("run a subagent under its call, with its tools held and its own requests", async () => {
    const { open } = await nativePlace();
    const { drive } = await open();
    const events = await drive.turn(scenarioPrompt("subagent-permission", "sub.txt"), allow);
    const [task, shell] = only(events, "tool.started");
    expect([task?.tool, shell?.tool, shell?.parent]).toEqual(["task", "shell", task?.callId]);
    expect(only(events, "permission.requested")).toMatchObject([{ parent: task?.callId, tool: "shell" }]);
    expect(only(events, "task.updated")).toMatchObject([{ status: "completed" }]);
    expect(events.at(-1)).toMatchObject({ usage: { input: 400 } });
  });

  test("offer a subagent only the tools it may use", async () => {
    const nested: Scenario = {
      name: "nested",
      steps: [[{ call: { tool: "task", prompt: "scenario:subagent Do it." } }], [{ say: "It said: {lastResult}" }]],
    };
    const { open } = await nativePlace({ scenarios: [nested] });
    const { drive } = await open({ mode: "full" });
    const events = await drive.turn(scenarioPrompt("nested"));
    expect(only(events, "tool.failed")).toMatchObject([
      { reason: "denied", error: { message: "The tool task is not allowed here." } },
    ]);
  });

  test("keep a background command after its turn, and report its end in a turn of the agent", async () => {
    const { open, model } = await nativePlace();
    const { drive } = await open({ mode: "full" });
    const events = await drive.turn(scenarioPrompt("background-shell", "echo done"));
    const [task] = only(events, "task.started");
    const own = await drive.until((event) => event.type === "turn.ended" && event.origin === "agent");
    expect([...events, ...own].find(({ type }) => type === "task.updated")).toMatchObject({
      taskId: task?.taskId,
      status: "completed",
      summary: "Exit code 0.\ndone\n",
    });
    expect(texts(own)).toEqual(["The command has ended."]);
    expect(sent(model.requests)).toContain("<task-notification>");
  });

  test("end background work on a cancel without a later report", async () => {
    const { open, model } = await nativePlace();
    const { drive, session } = await open({ mode: "full" });
    await drive.turn(scenarioPrompt("background-subagent"));
    await model.reached("late");
    await session.cancel();
    const [updated] = only(await drive.until(({ type }) => type === "task.updated"), "task.updated");
    expect(updated).toMatchObject({ status: "stopped" });
    expect(texts(await drive.turn(scenarioPrompt("text")))).toEqual(["Hello from the scripted model."]);
  });
});

test("shows as the context what is really sent", async () => {
  const { open, model, context, cwd } = await nativePlace();
  writeFileSync(join(cwd, "AGENTS.md"), "Use tabs.");
  const { drive, session } = await open({ mode: "full" });
  await drive.turn(scenarioPrompt("write", "a.txt"));
  const prompt = { text: scenarioPrompt("text") };
  const shown = await createAgent(context).context!({
    sessionId: "s",
    cwd,
    mode: "full",
    state: session.state,
    prompt,
  });
  const before = model.requests.length;
  await drive.turn(prompt.text);
  expect(model.requests).toHaveLength(before + 1);
  expect(shown.request?.body).toEqual(model.requests.at(-1)?.body);
  expect(shown.request?.url).toBe(`${model.url}/v1/messages`);
  expect(shown.system).toContain("Use tabs.");
  expect(shown.messages).toHaveLength(5);
});
