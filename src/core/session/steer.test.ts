import { expect, test } from "vitest";
import { done, rest, sessionWith, until } from "../../../test/support/core.ts";
import { createPuppet } from "../../../test/support/puppet.ts";
import { noCapabilities } from "../../events/capabilities.ts";
import { ReinsError } from "../../events/errors.ts";

test("a steered prompt can be cancelled, also by signal", async () => {
  const puppet = createPuppet();
  const session = await sessionWith(puppet);
  const first = session.prompt("one");
  const steered = session.prompt("left", { whenBusy: "steer" });
  await steered.cancel();
  expect((await first.result).outcome).toBe("cancelled");
  expect((await steered.result).outcome).toBe("cancelled");
  const abort = new AbortController();
  const second = session.prompt("two");
  session.prompt("right", { whenBusy: "steer", signal: abort.signal });
  abort.abort();
  expect((await second.result).outcome).toBe("cancelled");
  expect(puppet.session.cancels).toBe(2);
});

test("refuses a prompt that the turn did not accept", async () => {
  const puppet = createPuppet();
  const session = await sessionWith(puppet);
  const first = session.prompt("one");
  const late = Promise.withResolvers<void>();
  puppet.session.steer = () => late.promise;
  const steered = session.prompt("left", { whenBusy: "steer" });
  puppet.session.say(done);
  expect((await first.result).outcome).toBe("done");
  late.reject(new ReinsError("invalid_input", "The turn was over already."));
  await expect(steered.result).rejects.toMatchObject({ message: "The turn was over already." });
});

test("a refused prompt cancels nothing", async () => {
  const puppet = createPuppet();
  const session = await sessionWith(puppet);
  const first = session.prompt("one");
  puppet.session.steer = () => Promise.reject(new ReinsError("invalid_input", "Not now."));
  const steered = session.prompt("left", { whenBusy: "steer" });
  await expect(steered.result).rejects.toMatchObject({ message: "Not now." });
  await steered.cancel();
  puppet.session.say(done);
  expect((await first.result).outcome).toBe("done");
  expect(puppet.session.cancels).toBe(0);
});

test("does not steer a prompt before it is sent", async () => {
  const puppet = createPuppet({ capabilities: { hold: noCapabilities.hold } });
  puppet.onPrompt = (agent) => agent.say(done);
  const session = await sessionWith(puppet);
  const [first, second] = [session.prompt("one"), session.prompt("two", { whenBusy: "steer" })];
  await Promise.all([first.result, second.result]);
  expect(puppet.session.steered).toEqual([]);
  expect(puppet.session.prompts.map((prompt) => prompt.text)).toEqual(["one", "two"]);
});

test.each(["cancelled", "being started"])("queues the prompt when the turn is %s", async (how) => {
  const puppet = createPuppet();
  const opened = Promise.withResolvers<void>();
  const session = await sessionWith(puppet);
  if (how === "being started") {
    puppet.onOpen = () => opened.promise;
    puppet.session.die();
    await rest();
  } else puppet.onCancel = () => {};
  const first = session.prompt("one");
  await rest();
  const cancelled = how === "cancelled" ? first.cancel() : undefined;
  const second = session.prompt("two", { whenBusy: "steer" });
  const told = await until(first, "notice");
  expect(told).toMatchObject({
    code: "divergence",
    message: "The turn accepts no prompt now; the prompt is queued.",
  });
  opened.resolve();
  await rest();
  puppet.onPrompt = (agent) => agent.say(done);
  puppet.session.say(done);
  await cancelled;
  expect((await second.result).outcome).toBe("done");
  expect(puppet.session.steered).toEqual([]);
  expect(puppet.session.prompts.map((prompt) => prompt.text)).toEqual(["one", "two"]);
});
