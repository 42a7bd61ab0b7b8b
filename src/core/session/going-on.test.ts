/** What comes between while a turn ends after which the agent would go on by itself. */
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

/** A turn in which something may have changed files, so that its end takes the time of looking for them. */
async function running(puppet: Puppet, rule: ContinueRule): Promise<{ session: Session; turn: Turn }> {
  const cwd = testFolder();
  repository(cwd);
  const session = await sessionWith(puppet, { cwd, continue: [rule] });
  const turn = session.prompt("go");
  await until(turn, "tool.started");
  return { session, turn };
}

test.each(["cancelled", "closed"])("nothing follows a turn that is %s while changes are looked for", async (how) => {
  const puppet = createPuppet();
  puppet.onPrompt = (agent) => agent.say(runs);
  const { session, turn } = await running(puppet, { outcome: "done" });
  puppet.session.say(done);
  await new Promise((resolve) => setImmediate(resolve));
  await (how === "closed" ? session.close() : turn.cancel());
  expect((await turn.result).next).toBeUndefined();
  expect(puppet.sessions[0]?.prompts).toHaveLength(1);
});

test("what follows is heard also where the agent says twice how the turn before ended", async () => {
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
