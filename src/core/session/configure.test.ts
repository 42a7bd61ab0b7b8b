import { expect, test } from "vitest";
import { done, rest, sessionWith } from "../../../test/support/core.ts";
import { createPuppet } from "../../../test/support/puppet.ts";
import { ReinsError } from "../../events/errors.ts";
import type { AgentEvent } from "../../events/types.ts";

const held = (requestId: string): AgentEvent => ({
  type: "tool.held",
  requestId,
  callId: requestId,
  tool: "write",
  nativeName: "Write",
  title: "Write a.txt",
  input: {},
});
const asks = (requestId: string, tool: "plan" | "write"): AgentEvent => ({
  type: "permission.requested",
  requestId,
  callId: requestId,
  tool,
  title: "May I?",
  input: {},
  options: [],
});

test("applies a narrower mode at once, before the agent confirms it", async () => {
  const puppet = createPuppet();
  const session = await sessionWith(puppet, { mode: "full" });
  session.prompt("write");
  const taken = Promise.withResolvers<void>();
  puppet.session.configure = () => taken.promise;
  const changed = session.configure({ mode: "read" });
  puppet.session.say(held("h1"));
  await rest();
  taken.resolve();
  await changed;
  expect(puppet.session.answers).toMatchObject([{ answer: { decision: "deny" } }]);
});

test("an agent's own mode change does not undo an unconfirmed narrower mode", async () => {
  const puppet = createPuppet();
  const session = await sessionWith(puppet, { mode: "full" });
  session.prompt("write");
  const taken = Promise.withResolvers<void>();
  puppet.session.configure = () => taken.promise;
  const changed = session.configure({ mode: "read" });
  puppet.session.say({ type: "session.updated", mode: "edits", by: "agent" }, held("h1"));
  await rest();
  expect(puppet.session.answers).toMatchObject([{ requestId: "h1", answer: { decision: "deny" } }]);
  taken.reject(new ReinsError("unsupported", "Not now."));
  await expect(changed).rejects.toThrow("Not now.");
  puppet.session.say(held("h2"));
  await rest();
  // In the mode that the agent named, an edit is its own to judge.
  expect(puppet.session.answers[1]).toMatchObject({ requestId: "h2", answer: { decision: "defer" } });
});

test("changes nothing when the agent refuses", async () => {
  const puppet = createPuppet();
  const session = await sessionWith(puppet, { mode: "full" });
  session.prompt("write");
  puppet.session.configure = () => Promise.reject(new ReinsError("unsupported", "Not now."));
  await expect(session.configure({ mode: "read" })).rejects.toMatchObject({ message: "Not now." });
  puppet.session.say(held("h1"));
  await rest();
  expect(puppet.session.answers).toMatchObject([{ answer: { decision: "allow" } }]);
});

test("a mode selected while the agent restarts reaches it", async () => {
  const puppet = createPuppet();
  const session = await sessionWith(puppet, { mode: "full" });
  puppet.session.die();
  await rest();
  const opened = Promise.withResolvers<void>();
  puppet.onOpen = () => opened.promise;
  session.prompt("write");
  await rest();
  const changed = session.configure({ mode: "ask" });
  await rest();
  opened.resolve();
  await changed;
  expect(puppet.session.changes).toEqual([{ mode: "ask" }]);
});

test("an earlier plan approval does not end planning that was selected later", async () => {
  const puppet = createPuppet();
  const session = await sessionWith(puppet, { mode: "ask", onPermission: () => "allow" });
  const first = session.prompt("plan");
  puppet.session.say(asks("p1", "plan"));
  await rest();
  puppet.session.say(done);
  await first.result;
  await session.configure({ mode: "plan" });
  session.prompt("go on");
  puppet.session.say({ type: "session.updated", mode: "ask", by: "agent" }, asks("p2", "write"));
  await rest();
  expect(puppet.session.answers.at(-1)).toMatchObject({ requestId: "p2", answer: { decision: "deny" } });
});

test("refuses to configure a closed session, and asks nobody while it closes", async () => {
  const puppet = createPuppet();
  const asked: string[] = [];
  const session = await sessionWith(puppet, {
    onPermission: (request) => {
      asked.push(request.requestId);
      return "allow";
    },
  });
  const end = puppet.session.close.bind(puppet.session);
  puppet.session.close = () => {
    puppet.session.say(asks("late", "write"));
    return end();
  };
  await session.close();
  expect(asked).toEqual([]);
  expect(puppet.session.answers).toMatchObject([{ requestId: "late", answer: { decision: "deny" } }]);
  await expect(session.configure({ mode: "read" })).rejects.toMatchObject({ code: "invalid_input" });
});

test("applies the narrower of two concurrent changes, in any order of confirmation", async () => {
  const puppet = createPuppet();
  const session = await sessionWith(puppet, { mode: "ask" });
  session.prompt("write");
  const [narrow, wide] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  puppet.session.configure = ({ mode }) => (mode === "read" ? narrow : wide).promise;
  const changes = [session.configure({ mode: "read" }), session.configure({ mode: "full" })];
  await rest();
  wide.resolve();
  await changes[1];
  puppet.session.say(held("h1"));
  await rest();
  expect(puppet.session.answers).toMatchObject([{ answer: { decision: "deny" } }]);
  narrow.reject(new ReinsError("unsupported", "Not now."));
  await expect(changes[0]).rejects.toThrow("Not now.");
  puppet.session.say(held("h2"));
  await rest();
  expect(puppet.session.answers[1]).toMatchObject({ answer: { decision: "allow" } });
  expect(session.mode).toBe("full");
});
