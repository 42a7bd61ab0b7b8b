import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { linesOf, turnsIn } from "../../../test/fixtures/acp/read.ts";
import { testFolder } from "../../../test/support/core.ts";
import { StandInChild } from "../../../test/support/stand-in-child.ts";
import { everything } from "../../../test/support/toy.ts";
import { defaultDeadlines } from "../../events/deadlines.ts";
import { defaultLimits } from "../../events/limits.ts";
import { createRedactor } from "../../events/redact.ts";
import { createReins } from "../../index.ts";
import type { Processes } from "../../process/types.ts";
import { replayAgent } from "../../testing/index.ts";
import { createAgent } from "./index.ts";
import { quirksWith } from "./options.ts";

const agent = (child?: StandInChild, command = process.execPath) =>
  createAgent({
    processes: { launch: () => Promise.resolve(child) } as unknown as Processes,
    env: { REINS_CLAUDE_ACP_COMMAND: command, HOME: "/h" },
    deadlines: defaultDeadlines,
    limits: defaultLimits,
    redact: createRedactor({}),
  });

test("replays a recorded conversation with tool names, a denial and usage", async () => {
  const entry = { id: "claude-acp", name: "Claude Code over ACP", load: () => import("./index.ts") };
  const lines = linesOf("claude-main");
  const agents = [replayAgent(entry, { entries: lines, meta: undefined }, { deadlineMs: 2_000 })];
  const env = { PATH: process.env["PATH"], HOME: tmpdir(), REINS_CLAUDE_ACP_COMMAND: process.execPath };
  await using reins = createReins({ guardian: false, agents, env });
  const turns = turnsIn(lines);
  let answers: (string | undefined)[] = [];
  let cancels = false;
  const session = await reins.session({
    agent: "claude-acp",
    cwd: tmpdir(),
    onPermission: ({ options }) => {
      const optionId = answers.shift();
      const option = options.find(({ id }) => id === optionId);
      if (option === undefined && cancels) {
        void session.cancel();
        return new Promise(() => {});
      }
      return option?.kind.startsWith("allow") === true ? { decision: "allow", optionId } : "deny";
    },
  });
  for (const turn of turns) {
    answers = [...turn.answers];
    cancels = turn.cancelled;
    const running = session.prompt(turn.prompt);
    for await (const event of running)
      if (event.type === "message.delta" && turn.cancelled && turn.answers.length === 0) void running.cancel();
  }
  const events = await everything(session);
  expect(
    events.flatMap((event) =>
      event.type === "tool.started"
        ? [`${event.tool} (${event.nativeName})`]
        : event.type === "turn.completed"
          ? [`${event.outcome} ${event.error?.code ?? ""} ${event.usage?.input ?? "-"}`]
          : event.type === "tool.failed"
            ? [event.reason]
            : [],
    ),
  ).toMatchSnapshot();
});

test("manages it through the Claude Code it contains", async () => {
  const { manage } = agent(undefined, '["node","/acp.js"]');
  expect(await manage.login?.()).toMatchObject({ command: "node", args: ["/acp.js", "--cli", "auth", "login"] });
  expect(await manage.logout?.()).toMatchObject({ args: ["/acp.js", "--cli", "auth", "logout"] });
  expect(await manage.about?.()).toContainEqual({ label: "settings", value: join("/h", ".claude", "settings.json") });
  expect(manage.instead?.update).toContain("npm install");
});

test("lists the models of a read-only session", async () => {
  const child = new StandInChild();
  const asked = agent(child).manage.models?.();
  const answer = async (method: string, result: object) => {
    const { id } = await child.hears((message) => message["method"] === method);
    child.print({ id, result });
  };
  await answer("initialize", { protocolVersion: 1, agentCapabilities: { loadSession: true } });
  const modes = { currentModeId: "default", availableModes: [{ id: "default", name: "Manual" }] };
  const options = [
    { value: "default", name: "Default" },
    { value: "opus", name: "Opus" },
  ];
  const configOptions = [{ id: "model", category: "model", currentValue: "default", options }];
  await answer("session/new", { sessionId: "s", modes, configOptions });
  expect(await asked).toEqual([
    { id: "default", label: "Default", current: true },
    { id: "opus", label: "Opus" },
  ]);
  const begun = await child.hears((message) => message["method"] === "session/new");
  expect(begun["params"]).toMatchObject({ _meta: { claudeCode: { options: { disallowedTools: ["mcp__*"] } } } });
});

test("never enters a mode that asks nobody after an approved plan", () => {
  const { sent, ownWords, parent } = quirksWith({ sessionId: "s", cwd: testFolder(), mode: "plan" });
  const asked = { tool: "plan", nativeName: "ExitPlanMode", input: {} } as const;
  expect(sent?.("exit-plan-auto", asked, "plan")).toBe("exit-plan-default");
  expect(sent?.("allow-once", asked, "ask")).toBe("allow-once");
  expect([ownWords?.("question_1_custom"), ownWords?.("question_1")]).toEqual(["question_1", undefined]);
  expect(parent?.({ _meta: { claudeCode: { parentToolUseId: "t" } } }, [])).toBe("t");
  expect(parent?.({}, [])).toBeUndefined();
});
