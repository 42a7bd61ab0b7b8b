import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { done, rest, sessionWith, testFolder, until } from "../../../test/support/core.ts";
import { createPuppet, type PuppetSession } from "../../../test/support/puppet.ts";
import { holdAll } from "../../events/capabilities.ts";

const call = { callId: "c", tool: "shell", title: "Run touch", input: {} } as const;

test("an allowed tool runs only after the snapshot", async () => {
  const cwd = testFolder();
  execFileSync("git", ["init", "--quiet"], { cwd });
  const puppet = createPuppet();
  puppet.onPrompt = (agent: PuppetSession) => {
    const note = agent.answers.push.bind(agent.answers);
    // The tool runs as soon as it is allowed.
    agent.answers.push = (...answers) => {
      writeFileSync(join(cwd, "made.txt"), "");
      agent.say({ type: "tool.completed", callId: "c", output: { text: "", bytes: 0, kept: 0 } }, done);
      return note(...answers);
    };
    agent.say(
      { type: "tool.started", ...call, nativeName: "bash", kind: "execute" },
      { type: "permission.requested", requestId: "r", ...call, options: [] },
    );
  };
  const session = await sessionWith(puppet, { cwd, mode: "full" });
  expect(await session.prompt("go").result).toMatchObject({ outcome: "done", filesChanged: ["made.txt"] });
});

test("takes the snapshot before the prompt when commands cannot be held", async () => {
  const cwd = testFolder();
  execFileSync("git", ["init", "--quiet"], { cwd });
  const puppet = createPuppet({ capabilities: { hold: holdAll("none") } });
  puppet.onPrompt = (agent: PuppetSession) => {
    // The command has already run when it is reported.
    writeFileSync(join(cwd, "made.txt"), "");
    agent.say(
      { type: "tool.started", ...call, nativeName: "bash", kind: "execute" },
      { type: "tool.completed", callId: "c", output: { text: "", bytes: 0, kept: 0 } },
      done,
    );
  };
  const session = await sessionWith(puppet, { cwd, mode: "full" });
  expect(await session.prompt("go").result).toMatchObject({ outcome: "done", filesChanged: ["made.txt"] });
});

test("reports nothing incomplete for a turn without such a tool", async () => {
  const puppet = createPuppet({ capabilities: { hold: holdAll("none") } });
  puppet.onPrompt = (agent: PuppetSession) => agent.say(done);
  const session = await sessionWith(puppet, { cwd: testFolder(), mode: "full" });
  expect((await session.prompt("go").result).filesChangedIncomplete).toBeUndefined();
});

test("cancels a prompt that waits for the snapshot at once and never sends it", async () => {
  const [cwd, bin] = [testFolder(), testFolder()];
  // A git that never answers.
  writeFileSync(join(bin, "git"), "#!/bin/sh\nexec sleep 60\n", { mode: 0o755 });
  const puppet = createPuppet({ capabilities: { hold: holdAll("none") } });
  // The agent has no turn to end.
  puppet.onCancel = () => {};
  let prompts = 0;
  puppet.onPrompt = (agent: PuppetSession) => {
    prompts++;
    agent.say(done);
  };
  const home = testFolder();
  const env = { PATH: `${bin}:${process.env["PATH"]}`, HOME: home, REINS_HOME: home };
  const session = await sessionWith(puppet, { cwd, mode: "full" }, { env, deadlines: { cancel: 60_000 } });
  const turn = session.prompt("go");
  await until(turn, "turn.started");
  await rest();
  await session.cancel();
  expect([(await turn.result).outcome, prompts]).toEqual(["cancelled", 0]);
});
