import { expect, test } from "vitest";
import { done, reinsWith, rest, testFolder } from "../../../test/support/core.ts";
import { createPuppet } from "../../../test/support/puppet.ts";
import type { Processes } from "../../process/types.ts";
import { openRepository } from "../../workspace/snapshot.ts";

test("closes although an agent fails to close, and reports the failure", async () => {
  const puppet = createPuppet();
  const reins = reinsWith(puppet);
  const session = await reins.session({ agent: "puppet", cwd: testFolder() });
  const notices: string[] = [];
  const reading = (async () => {
    for await (const event of session.events()) if (event.type === "notice") notices.push(event.message);
  })();
  const end = puppet.session.close.bind(puppet.session);
  puppet.session.close = async () => {
    await end();
    throw new Error("It would not go.");
  };
  const turn = session.prompt("x");
  await rest();
  puppet.session.die();
  expect((await turn.result).outcome).toBe("failed");
  puppet.onPrompt = (agent) => agent.say(done);
  expect((await session.prompt("again").result).outcome).toBe("done");
  puppet.session.close = async () => {
    await end();
    puppet.session.die();
    throw new Error("Nor would this one.");
  };
  await reins.close();
  await reading;
  expect(notices).toEqual([
    "Puppet did not close properly: It would not go.",
    "Puppet did not close properly: Nor would this one.",
  ]);
});

test.each([true, false])("closing ends an agent that is being restarted (it obeys the signal: %s)", async (listens) => {
  const puppet = createPuppet();
  const reins = reinsWith(puppet, { deadlines: { politeClose: 10, term: 10 } });
  const session = await reins.session({ agent: "puppet", cwd: testFolder() });
  puppet.session.die();
  await rest();
  const { promise: opened, resolve, reject } = Promise.withResolvers<void>();
  let ended = false;
  puppet.onOpen = ({ signal }) => {
    signal?.addEventListener("abort", () => {
      ended = true;
      if (listens) reject(new Error("Nobody wants it any more."));
    });
    return opened;
  };
  const turn = session.prompt("x");
  await rest();
  await session.close();
  expect(ended).toBe(true);
  expect((await turn.result).outcome).toBe("cancelled");
  resolve();
  await rest();
  expect(puppet.sessions.every((agent) => agent.closed)).toBe(true);
});

test("opens no session when Reins is closed meanwhile", async () => {
  const puppet = createPuppet();
  const loaded = Promise.withResolvers<void>();
  const load = () => loaded.promise.then(puppet.entry.load);
  const reins = reinsWith(puppet, { agents: [{ ...puppet.entry, load }] });
  const session = reins.session({ agent: "puppet", cwd: testFolder() });
  await rest();
  await reins.close();
  loaded.resolve();
  await expect(session).rejects.toMatchObject({ code: "invalid_input", message: "This Reins is closed." });
  expect(puppet.sessions).toEqual([]);
});

test("reports unknown changes when git fails halfway", async () => {
  let head = 0;
  const output = { code: 0, signal: null, stderr: "", timedOut: false, truncated: false };
  let failed = 0;
  const run = (spec: { args: readonly string[] }) => {
    if (spec.args.includes("diff")) return Promise.reject(new Error(`No more processes (${++failed}).`));
    return Promise.resolve({ ...output, stdout: spec.args.includes("rev-parse") ? `\ncommit${head++}\n` : "" });
  };
  const repository = openRepository({ run } as unknown as Processes, testFolder(), {});
  const before = await repository.snapshot();
  expect(await repository.changesSince(before!)).toBeUndefined();
  expect(failed).toBe(1);
});

test("keeps a cancelled turn cancelled when a session with a remote agent is closed", async () => {
  const puppet = createPuppet({ capabilities: { elsewhere: true } });
  puppet.onCancel = () => {};
  const session = await reinsWith(puppet).session({ agent: "puppet", cwd: testFolder() });
  const turn = session.prompt("x");
  await rest();
  const end = puppet.session.close.bind(puppet.session);
  puppet.session.close = () => {
    puppet.session.say({ type: "turn.ended", outcome: "interrupted" });
    return end();
  };
  void turn.cancel();
  await session.close();
  expect((await turn.result).outcome).toBe("cancelled");
});
