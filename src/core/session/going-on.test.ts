/** Interruptions while a turn ends that would continue automatically. */
import { expect, test } from "vitest";
import { done, sessionWith, testFolder, until } from "../../../test/support/core.ts";
import { createPuppet, type Puppet } from "../../../test/support/puppet.ts";
import { repository } from "../../../test/support/repository.ts";
import type { AgentEvent } from "../../events/types.ts";
import type { Session, Turn } from "../api.ts";
import type { ContinueRule } from "./after-turn.ts";

const runs: AgentEvent = {
  type: "tool.started",
  callId: "c1",
  tool: "shell",
  nativeName: "sh",
  kind: "execute",
  title: "make",
  input: {},
};

/** A turn that may have changed files, so its end takes time to search for them. */
async function running(puppet: Puppet, rule: ContinueRule): Promise<{ session: Session; turn: Turn }> {
  const cwd = testFolder();
  repository(cwd);
  const session = await sessionWith(puppet, { cwd, continue: [rule] });
  const turn = session.prompt("go");
  await until(turn, "tool.started");
  return { session, turn };
}

test.each(["cancelled", "closed"])(
  "starts no further turn when the turn is %s while changes are searched",
  async (how) => {
    const puppet = createPuppet();
    puppet.onPrompt = (agent) => agent.say(runs);
    const { session, turn } = await running(puppet, { outcome: "done" });
    puppet.session.say(done);
    await new Promise((resolve) => setImmediate(resolve));
    await (how === "closed" ? session.close() : turn.cancel());
    expect((await turn.result).next).toBeUndefined();
    expect(puppet.sessions[0]?.prompts).toHaveLength(1);
  },
);

test("reports the next turn although the agent reports the end of the previous one twice", async () => {
  const puppet = createPuppet();
  const failing = Promise.withResolvers<void>();
  puppet.onPrompt = (agent) => {
    agent.say(runs);
    return failing.promise;
  };
  const { turn } = await running(puppet, { outcome: "failed" });
  puppet.onPrompt = (agent) => agent.say(done);
  failing.reject(new Error("It broke."));
  await new Promise((resolve) => setImmediate(resolve));
  puppet.session.say({ type: "turn.ended", outcome: "failed" });
  expect((await turn.result).outcome).toBe("done");
});
