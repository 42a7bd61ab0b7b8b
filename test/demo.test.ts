/** The demo agent through the core, with real files and real processes: every path keeps the laws. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Reins, SessionOptions } from "../src/core/api.ts";
import { createReins } from "../src/core/reins.ts";
import type { ReinsEvent } from "../src/events/types.ts";
import { expectLawful } from "./support/lawful.ts";

let home: string;
let reins: Reins;

beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), "reins-demo-"));
  reins = createReins({ guardian: false, env: { ...process.env, REINS_HOME: home } });
});
afterAll(async () => {
  await reins.close();
  rmSync(home, { recursive: true, force: true });
});

function open(options: SessionOptions = {}) {
  return reins.session({
    agent: "demo",
    cwd: mkdtempSync(join(home, "work-")),
    onPermission: () => "allow",
    onQuestion: () => ({ answer: "Yes" }),
    ...options,
  });
}

async function collect(events: AsyncIterable<ReinsEvent>): Promise<ReinsEvent[]> {
  const all: ReinsEvent[] = [];
  for await (const event of events) all.push(event);
  return all;
}

describe("every step keeps the laws", () => {
  const everything = [
    "list; write a.txt one; read a.txt; edit a.txt one -> two; plan",
    'think hard; say hello; ask why?; sleep 1; stream 300; big 70000; subagent "read a.txt; say found"',
    `run ${process.execPath} -e "console.log(40 + 2)"; run no-such-program; read ../outside`,
    "fail overloaded",
    "dance; list",
    "What can you do?",
  ];

  test.each(["read", "plan", "ask", "edits", "full"] as const)("in mode %s", async (mode) => {
    await using session = await open({ mode });
    for (const prompt of everything) await session.prompt(prompt).result;
    await session.close();
    expectLawful(await collect(session.events()));
  });

  test("when a person denies, and when nobody is there", async () => {
    for (const onPermission of [() => "deny" as const, () => "stop" as const, undefined]) {
      await using session = await open({ onPermission, onQuestion: undefined });
      for (const prompt of everything) await session.prompt(prompt).result;
      await session.close();
      const events = await collect(session.events());
      expectLawful(events);
      expect(events.filter((event) => event.type === "file.changed")).toEqual([]);
    }
  });
});

test("runs a real program and reports its output and the changed files", async () => {
  await using session = await open({ mode: "full" });
  const turn = session.prompt(`run ${process.execPath} -e "console.log(40 + 2); process.exit(3)"`);
  const events = await collect(turn);
  expect(events.find((event) => event.type === "tool.completed")).toMatchObject({
    output: { text: "42\n" },
    exitCode: 3,
  });
  expect((await turn.result).outcome).toBe("done");
});

test.each([
  ["sleep 1000000", "turn.started"],
  ["stream 1000000", "message.delta"],
  ["run sleep 1000", "permission.resolved"],
  ["ask why?", "question.requested"],
  ["write a b", "permission.requested"],
  ["subagent sleep 1000000", "task.started"],
])("cancels %s after %s, and the session continues", async (prompt, moment) => {
  const never = () => new Promise<never>(() => {});
  await using session = await open({
    onPermission: prompt.startsWith("run") ? () => "allow" : never,
    onQuestion: never,
  });
  const turn = session.prompt(prompt);
  for await (const event of turn) if (event.type === moment) break;
  await turn.cancel();
  expect((await turn.result).outcome).toBe("cancelled");
  expect((await session.prompt("say on").result).text).toBe("on");
  await session.close();
  expectLawful(await collect(session.events()));
});

test("reports background work in a separate lawful turn", async () => {
  await using session = await open();
  const first = await session.prompt("background 20; say started").result;
  expect(first.background).toHaveLength(1);
  const events: ReinsEvent[] = [];
  for await (const event of session.events()) {
    events.push(event);
    if (event.type === "turn.completed" && event.turnId !== first.turnId) break;
  }
  expect(events.filter((event) => event.type === "turn.started")).toMatchObject([
    { origin: "prompt" },
    { origin: "agent", cause: first.background?.[0] },
  ]);
  expectLawful(events);
});

test("resumes a session from its state", async () => {
  const cwd = mkdtempSync(join(home, "work-"));
  const first = await reins.run("say one", { agent: "demo", cwd }).result;
  const second = await reins.run("say two", { agent: "demo", cwd, resume: first.state }).result;
  expect(second.state).toBe(first.state?.replace(/1$/, "2"));
});
