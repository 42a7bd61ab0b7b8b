/**
 * The contract: what an agent declares it can do, it does, and what it does not declare is refused or said. The same for every agent;
 * `demo.test.ts` runs it on the demo agent, `test/real/contract.test.ts` on every agent that can be proven.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type Capabilities, type EventOf, modes, type PermissionReply, type SessionOptions } from "../../src/index.ts";
import { Actor, all, type Stage } from "./stage.ts";

/** `capabilities` is what the agent declares; `open` makes a stage for one test and clears it away afterwards. */
export function contract(capabilities: Capabilities, open: () => Promise<Stage>): void {
  const can = capabilities;
  const unlike = modes.filter((mode) => !can.modes.includes(mode));
  const asks = can.modes.includes("ask") && can.hold.edit !== "none";

  /** An answer to every permission, and what was asked. */
  function answering(reply: PermissionReply | ((request: EventOf<"permission.requested">) => PermissionReply)) {
    const asked: EventOf<"permission.requested">[] = [];
    const onPermission = (request: EventOf<"permission.requested">): PermissionReply => {
      asked.push(request);
      return typeof reply === "function" ? reply(request) : reply;
    };
    return { asked, onPermission };
  }

  test("it is ready, and says what it can do", async () => {
    const { reins, agent } = await open();
    expect(await reins.agent(agent)).toMatchObject({ id: agent, ready: true, capabilities });
  });

  test("a text arrives as declared, and the turn is done", async () => {
    const stage = await open();
    const { result, events } = await (await Actor.on(stage)).turn(stage.prompts.text);
    const said = all(events, "message.completed");
    expect(result).toMatchObject({ outcome: "done", text: said.at(-1)?.text });
    if (can.deltas) expect(all(events, "message.delta").length).toBeGreaterThan(1);
    expect(result.usage === undefined).toBe(can.usage === "none");
    expect(result.costUsd === undefined).toBe(!can.cost);
  });

  test.runIf(can.thinking)("thinking is told apart from text", async () => {
    const stage = await open();
    const { result, events } = await (await Actor.on(stage)).turn(stage.prompts.think);
    const [thought] = all(events, "thought.completed");
    expect(thought?.text).toMatch(/\S/);
    expect(result.text).not.toContain(thought?.text);
  });

  describe("modes", () => {
    test.each(can.modes)("%s is taken, and shown", async (mode) => {
      const stage = await open();
      const actor = await Actor.on(stage, { mode });
      // Some say who they are only when they are spoken to.
      expect((await actor.turn(stage.prompts.text)).result.outcome).toBe("done");
      expect(await actor.when("session.started")).toMatchObject({ mode });
    });

    test.runIf(unlike.length > 0)("others are refused", async () => {
      const stage = await open();
      for (const mode of unlike) await expect(Actor.on(stage, { mode })).rejects.toMatchObject({ code: "unsupported" });
    });

    test.runIf(can.modes.includes("read"))("read changes nothing", async () => {
      const stage = await open();
      const { asked, onPermission } = answering("allow");
      const { result } = await (
        await Actor.on(stage, { mode: "read", onPermission })
      ).turn(stage.prompts.write("x.txt"));
      expect(asked).toEqual([]);
      expect(result.filesChanged).toEqual([]);
      expect(existsSync(join(stage.cwd, "x.txt"))).toBe(false);
    });

    test.each(can.modes.filter((mode) => mode === "edits" || mode === "full"))("%s writes unasked", async (mode) => {
      const stage = await open();
      const { asked, onPermission } = answering("deny");
      const { events } = await (await Actor.on(stage, { mode, onPermission })).turn(stage.prompts.write("x.txt"));
      expect(asked).toEqual([]);
      expect(all(events, "file.changed")).toMatchObject([{ path: "x.txt", op: "create" }]);
      expect(existsSync(join(stage.cwd, "x.txt"))).toBe(true);
    });

    test.runIf(can.changeMode && asks && can.modes.includes("full"))("may change, and hold from then on", async () => {
      const stage = await open();
      const { asked, onPermission } = answering("allow");
      const actor = await Actor.on(stage, { mode: "ask", onPermission });
      await actor.session.configure({ mode: "full" });
      await actor.turn(stage.prompts.write("x.txt"));
      expect(asked).toHaveLength(0);
      await actor.session.configure({ mode: "ask" });
      await actor.turn(stage.prompts.write("y.txt"));
      expect(asked).toHaveLength(1);
    });
  });

  describe.runIf(asks)("permissions", () => {
    test("what is allowed happens, and only then", async () => {
      const stage = await open();
      const { asked, onPermission } = answering(() => {
        expect(existsSync(join(stage.cwd, "x.txt"))).toBe(false);
        return "allow";
      });
      const { result } = await (await Actor.on(stage, { onPermission })).turn(stage.prompts.write("x.txt"));
      expect(asked).toMatchObject([{ tool: "write", title: "Write x.txt" }]);
      expect(result).toMatchObject({ outcome: "done", filesChanged: ["x.txt"] });
      expect(existsSync(join(stage.cwd, "x.txt"))).toBe(true);
    });

    test("what is denied does not, and the turn goes on or ends as declared", async () => {
      const stage = await open();
      const { onPermission } = answering({ decision: "deny", message: "Not here." });
      const { result, events } = await (await Actor.on(stage, { onPermission })).turn(stage.prompts.write("x.txt"));
      expect(all(events, "tool.failed")).toMatchObject([{ reason: "denied" }]);
      expect(result.outcome === "done").toBe(can.afterDeny === "continues");
      expect(existsSync(join(stage.cwd, "x.txt"))).toBe(false);
    });

    test("nobody there is a no, and stop ends the turn", async () => {
      const stage = await open();
      const alone = await (await Actor.on(stage)).turn(stage.prompts.write("x.txt"));
      expect(all(alone.events, "permission.resolved")).toMatchObject([{ outcome: "denied", by: "deadline" }]);
      const stopped = await (await Actor.on(stage, { onPermission: () => "stop" })).turn(stage.prompts.write("x.txt"));
      expect(stopped.result.outcome).not.toBe("done");
      expect(existsSync(join(stage.cwd, "x.txt"))).toBe(false);
    });

    test.runIf(can.changedInput)("a changed input is what runs", async () => {
      const stage = await open();
      const { onPermission } = answering(({ input }) => {
        const changedInput: unknown = JSON.parse(JSON.stringify(input).replaceAll("x.txt", "changed.txt"));
        return { decision: "allow", changedInput };
      });
      const { result } = await (await Actor.on(stage, { onPermission })).turn(stage.prompts.write("x.txt"));
      expect(result.filesChanged).toEqual(["changed.txt"]);
      expect(existsSync(join(stage.cwd, "x.txt"))).toBe(false);
    });

    test.runIf(can.allowAlways)("always asks once", async () => {
      const stage = await open();
      const { asked, onPermission } = answering("always");
      const actor = await Actor.on(stage, { onPermission });
      await actor.turn(stage.prompts.write("x.txt"));
      await actor.turn(stage.prompts.write("y.txt"));
      expect(asked).toHaveLength(1);
      expect(existsSync(join(stage.cwd, "y.txt"))).toBe(true);
    });
  });

  test.runIf(can.questions)("a question is asked, and its answer taken", async () => {
    const stage = await open();
    const onQuestion: SessionOptions["onQuestion"] = ({ questions }) =>
      Object.fromEntries(questions.map(({ id, options }) => [id, options[0]?.label ?? "yes"]));
    const { result, events } = await (await Actor.on(stage, { onQuestion })).turn(stage.prompts.question);
    expect(all(events, "question.resolved")).toMatchObject([{ outcome: "answered", by: "person" }]);
    expect(result.outcome).toBe("done");
  });

  test.runIf(can.planApproval)("a plan is a permission with the plan in it", async () => {
    const stage = await open();
    const { asked, onPermission } = answering("allow");
    await (await Actor.on(stage, { mode: "plan", onPermission })).turn(stage.prompts.plan);
    expect(asked).toMatchObject([{ tool: "plan", input: { plan: expect.stringMatching(/\S/) as string } }]);
  });

  describe("cancelling", () => {
    test("ends the turn, and the session goes on", async () => {
      const stage = await open();
      const actor = await Actor.on(stage);
      const turn = actor.session.prompt(stage.prompts.endless);
      await actor.when("message.delta");
      await turn.cancel();
      expect(await turn.result).toMatchObject({ outcome: "cancelled" });
      expect((await actor.turn(stage.prompts.text)).result.outcome).toBe("done");
    });

    test.runIf(asks)("works at a permission", async () => {
      const stage = await open();
      const actor = await Actor.on(stage, { attended: true });
      const turn = actor.session.prompt(stage.prompts.write("x.txt"));
      await actor.when("permission.requested");
      await turn.cancel();
      expect(await turn.result).toMatchObject({ outcome: "cancelled" });
      expect((await actor.turn(stage.prompts.text)).result.outcome).toBe("done");
      expect(existsSync(join(stage.cwd, "x.txt"))).toBe(false);
    });
  });

  test("a prompt into a running turn is steered, or waits and says so", async () => {
    const stage = await open();
    const actor = await Actor.on(stage);
    const first = actor.session.prompt(stage.prompts.endless);
    await actor.when("message.delta");
    const second = actor.session.prompt(stage.prompts.text, { whenBusy: "steer" });
    await actor.when(can.steer ? "input.added" : "notice");
    await actor.session.cancel();
    expect((await first.result).outcome).toBe("cancelled");
    await second.result.catch((error: unknown) => expect(error).toMatchObject({ code: "cancelled" }));
  });

  describe("going on", () => {
    test.runIf(can.resume)("from a state, in a new session", async () => {
      const stage = await open();
      const { result } = await (await Actor.on(stage)).turn(stage.prompts.text);
      const actor = await Actor.on(stage, { resume: result.state });
      expect((await actor.turn(stage.prompts.text)).result.outcome).toBe("done");
      expect(await actor.when("session.started")).toMatchObject({ resumed: true });
    });

    test.runIf(can.fork)("in a copy, which has a state of its own", async () => {
      const stage = await open();
      const { result } = await (await Actor.on(stage)).turn(stage.prompts.text);
      const copy = await (await Actor.on(stage, { resume: result.state, fork: true })).turn(stage.prompts.text);
      expect(copy.result.outcome).toBe("done");
      expect(copy.result.state).not.toBe(result.state);
    });

    test.runIf(!can.resume)("is not promised", async () => {
      const stage = await open();
      expect((await (await Actor.on(stage)).turn(stage.prompts.text)).result.state).toBeUndefined();
    });
  });

  test.runIf(can.subagents)("what a subagent does belongs to the call that started it", async () => {
    const stage = await open();
    const { events } = await (await Actor.on(stage, { mode: "full" })).turn(stage.prompts.subagent);
    const call = all(events, "tool.started").find(({ tool }) => tool === "task");
    expect(events.filter(({ parent }) => parent === call?.callId)).not.toHaveLength(0);
  });

  test.runIf(can.backgroundTasks)("a task outlives its turn, and what it comes to is a turn of its own", async () => {
    const stage = await open();
    const actor = await Actor.on(stage, { mode: "full" });
    const { result } = await actor.turn(stage.prompts.background);
    expect(result.background).toHaveLength(1);
    stage.endBackground();
    const { turnId } = await actor.when("turn.started", ({ origin }) => origin === "agent");
    expect(await actor.when("turn.completed", (end) => end.turnId === turnId)).toMatchObject({ outcome: "done" });
  });

  describe("options", () => {
    const options: readonly [string, boolean, SessionOptions][] = [
      [
        "a system prompt to append",
        can.systemPrompt.includes("append"),
        { systemPrompt: { text: "Be kind.", how: "append" } },
      ],
      [
        "a system prompt instead",
        can.systemPrompt.includes("replace"),
        { systemPrompt: { text: "Be kind.", how: "replace" } },
      ],
      ["tools by name", can.toolFilter, { tools: { disallowed: ["web_fetch"] } }],
      ["other tools for the first prompt", can.firstPromptTools, { tools: { first: { disallowed: ["web_fetch"] } } }],
      ["further folders", can.directories, { directories: ["/"] }],
      ["a limit on rounds", can.maxTurns, { maxTurns: 5 }],
      ["a limit on cost", can.budget, { maxBudgetUsd: 5 }],
    ];
    test.each(options)("%s: honoured (%s), or said not to be", async (_name, honoured, wanted) => {
      const stage = await open();
      const { result, events } = await (await Actor.on(stage, wanted)).turn(stage.prompts.text);
      const diverged = all(events, "notice").filter(({ code }) => code === "divergence");
      expect(diverged.length > 0).toBe(!honoured);
      expect(result.outcome).toBe("done");
    });
  });
}
