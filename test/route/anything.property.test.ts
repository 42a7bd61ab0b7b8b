import { expect, it } from "vitest";
import { toReinsError } from "../../src/events/errors.ts";
import type { AgentEvent } from "../../src/events/types.ts";
import { rest } from "../support/core.ts";
import { fc } from "../support/fast-check.ts";
import { all, cast, done, fails, of, runs, says } from "./support.ts";

const saying = {
  done: () => [done],
  fail: () => [fails("context_too_long")],
  say: (n: number) => [says(`m${n}`)],
  tool: (n: number) => [runs(`c${n}`, "Run it")],
  ask: (n: number) => [
    runs(`c${n}`, "Run it"),
    {
      type: "permission.requested",
      requestId: `r${n}`,
      callId: `c${n}`,
      tool: "shell",
      title: "Run",
      input: {},
      options: [],
    },
  ],
} satisfies Record<string, (n: number) => AgentEvent[]>;
const doing = ["prompt", "handoff", "cancel", "configure", "die", "rest"] as const;
const step = fc.constantFrom(...(Object.keys(saying) as (keyof typeof saying)[]), ...doing);

it("keeps the laws, passes on the conversation and leaves no session for any order of prompts, handoffs, cancels and failures", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 30 }), async (steps) => {
      const { reins, session, ...agents } = cast();
      const opened = await session();
      const refused: Promise<unknown>[] = [];
      const may = (work: Promise<unknown>) =>
        refused.push(
          work.then(
            () => "done",
            (thrown: unknown) => toReinsError(thrown).code,
          ),
        );
      for (const [n, one] of steps.entries()) {
        const now = agents[opened.agent as keyof typeof agents].sessions.at(-1);
        if (one in saying) now?.say(...saying[one as keyof typeof saying](n));
        if (one === "prompt") may(opened.prompt(`p${n}`, { whenBusy: "queue" }).result);
        if (one === "handoff") may(opened.handoff({ to: ["a", "b", "c"][n % 3]! }));
        if (one === "cancel") may(opened.cancel());
        if (one === "configure") may(opened.configure({ mode: n % 2 === 0 ? "ask" : "full" }));
        if (one === "die") now?.die();
        if (one === "rest") await rest();
      }
      await rest();
      const switches = of(await all(opened), "agent.switched");
      const [first = "a"] = switches.map(({ from }) => from);
      expect([first, ...switches.map(({ to }) => to)].slice(0, -1)).toEqual(switches.map(({ from }) => from));
      expect(await Promise.all(refused)).not.toContain("internal");
      for (const { sessions } of Object.values(agents)) expect(sessions.filter(({ closed }) => !closed)).toEqual([]);
      await reins.close();
    }),
    { numRuns: 8 },
  );
});
