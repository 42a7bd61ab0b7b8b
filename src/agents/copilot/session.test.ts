import { expect, test, vi } from "vitest";
import { testFolder } from "../../../test/support/core.ts";
import { StandInChild } from "../../../test/support/stand-in-child.ts";
import { defaultDeadlines } from "../../events/deadlines.ts";
import { defaultLimits } from "../../events/limits.ts";
import { createRedactor } from "../../events/redact.ts";
import type { AgentEvent } from "../../events/types.ts";
import type { LaunchSpec, Processes } from "../../process/types.ts";
import type { OpenOptions } from "../contract.ts";
import { createAgent } from "./index.ts";
import { program } from "./program.ts";

const nativeMode = (name: string) => `https://agentclientprotocol.com/protocol/session-modes#${name}`;

/** The parts of Copilot that these tests need: it remembers that everything was allowed, and that it was on autopilot. */
class Copilot extends StandInChild {
  readonly #version: string;

  constructor(version = program.minimalVersion!) {
    super();
    this.#version = version;
  }

  override write(text: string): Promise<void> {
    const { id, method } = JSON.parse(text) as { id?: number; method?: string };
    void super.write(text);
    if (method === "initialize")
      this.print({
        id,
        result: {
          protocolVersion: 1,
          agentCapabilities: { loadSession: true },
          agentInfo: { version: this.#version },
        },
      });
    else if (method === "session/new" || method === "session/load") this.print({ id, result: left });
    else if (method !== "session/prompt" && id !== undefined) this.print({ id, result: {} });
    return Promise.resolve();
  }

  asked(method: string): object[] {
    return this.received.filter((message) => message["method"] === method).map(({ params }) => params as object);
  }
}
const left = {
  sessionId: "5e55",
  configOptions: [
    {
      id: "mode",
      category: "mode",
      currentValue: nativeMode("autopilot"),
      options: ["agent", "plan", "autopilot"].map((name) => ({ value: nativeMode(name), name })),
    },
    { id: "allow_all", currentValue: "on", options: [] },
  ],
};

async function open(
  options: Partial<OpenOptions> = {},
  make: () => Copilot = () => new Copilot(),
  installed = program.minimalVersion!,
) {
  const children: Copilot[] = [];
  const launched: LaunchSpec[] = [];
  const launch = (spec: LaunchSpec) => {
    launched.push(spec);
    const child = make();
    children.push(child);
    return Promise.resolve(child);
  };
  const agent = createAgent({
    processes: { launch, run: () => Promise.resolve({ stdout: installed }) } as unknown as Processes,
    env: { REINS_COPILOT_COMMAND: process.execPath },
    deadlines: defaultDeadlines,
    limits: defaultLimits,
    redact: createRedactor({}),
  });
  const session = await agent.open({ sessionId: "s", cwd: testFolder(), mode: "ask", ...options });
  const events: AgentEvent[] = [];
  const over = (async () => {
    for await (const batch of session.events) events.push(...batch);
  })();
  const has = (type: AgentEvent["type"]) => vi.waitFor(() => expect(events.map((event) => event.type)).toContain(type));
  return { session, children, launched, events, over, has };
}

const state = `copilot:1:${Buffer.from("5e55").toString("base64url")}`;

test.each(["read", "plan", "ask", "edits", "full"] as const)(
  "resumes a session no wider than mode %s",
  async (mode) => {
    const { session, children, events, has } = await open({ mode, state });
    await has("session.started");
    expect(events[0]).toMatchObject({
      mode,
      nativeMode: nativeMode(mode === "plan" ? "plan" : "agent"),
      resumed: true,
    });
    expect(children[0]?.asked("session/set_config_option")).toMatchObject([
      { configId: "mode", value: nativeMode(mode === "plan" ? "plan" : "agent") },
      { configId: "allow_all", value: "off" },
    ]);
    await session.close();
  },
);

test("restarts for read mode and back with the same conversation, without reporting the restart", async () => {
  const { session, children, launched, events, over } = await open();
  await session.prompt({ text: "go" });
  await expect(session.configure({ mode: "read" })).rejects.toMatchObject({ code: "session_busy" });
  const { id } = await children[0]!.hears((message) => message["method"] === "session/prompt");
  children[0]!.print({ id, result: { stopReason: "end_turn" } });
  await vi.waitFor(() => expect(events.at(-1)).toMatchObject({ type: "turn.ended" }));

  await session.configure({ mode: "read", model: "m" });
  expect(launched[1]?.args).toContainEqual(expect.stringMatching(/^--available-tools=view,/));
  expect(children[1]?.asked("session/load")).toMatchObject([{ sessionId: "5e55" }]);
  expect(children[1]?.asked("session/set_model")).toMatchObject([{ modelId: "m" }]);
  await session.configure({ mode: "ask" });
  expect(launched[2]?.args).toEqual(["--acp"]);
  expect(children[2]?.asked("session/set_model")).toMatchObject([{ modelId: "m" }]);
  expect(session.state).toBe(state);
  await session.close();
  await over;
  expect(events.filter(({ type }) => type === "session.started" || type === "process.exited")).toMatchObject([
    { type: "session.started", mode: "ask" },
    { type: "process.exited" },
  ]);
});

test.each(["/allow-all on", " /yolo", "/autopilot do it", "/permissions allow-all"])("rejects %j", async (text) => {
  const { session } = await open();
  await expect(session.prompt({ text })).rejects.toMatchObject({ code: "invalid_input" });
  await session.prompt({ text: "what does /allow-all do?" });
  await session.close();
});

test("ends the session when it cannot restart", async () => {
  let count = 0;
  const { session, over } = await open({}, () => {
    const child = new Copilot();
    if (count++ > 0) child.exit({ code: 1 });
    return child;
  });
  await expect(session.configure({ mode: "read" })).rejects.toMatchObject({ code: "agent_crashed" });
  await over;
  await session.close();
});

test("refuses a version without ACP, with its version and how to update it", async () => {
  const start = open(
    {},
    () => {
      const child = new Copilot();
      child.stderr = "error: unknown option '--acp'\n";
      child.exit({ code: 1 });
      return child;
    },
    "0.0.340",
  );
  await expect(start).rejects.toMatchObject({
    code: "version_unsupported",
    message: `GitHub Copilot 0.0.340 is older than the oldest version Reins works with (${program.minimalVersion}).`,
    help: expect.stringContaining("npm install"),
  });
});

test("refuses a version that speaks ACP and is too old", async () => {
  await expect(open({}, () => new Copilot("0.0.400"))).rejects.toMatchObject({
    code: "version_unsupported",
    message: expect.stringContaining("GitHub Copilot 0.0.400 is older"),
  });
});

test("reports other failures at start", async () => {
  const start = open({}, () => {
    const child = new Copilot();
    child.stderr = "error: unexpected argument '--nosuch' found\n";
    child.exit({ code: 1 });
    return child;
  });
  await expect(start).rejects.toMatchObject({ code: "agent_crashed" });
});
