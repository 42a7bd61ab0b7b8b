import { expect, test } from "vitest";
import type { AcpSession } from "../../../protocols/acp/index.ts";
import type { AgentEvent } from "../../../events/types.ts";
import { RestartingSession } from "./restart.ts";

const exited: AgentEvent = { type: "process.exited", code: 0, signal: null, stderrTail: "" };
const ended: AgentEvent = { type: "turn.ended", outcome: "done" };

/** A session that emits `said`, then `process.exited` once it is closed. */
function fake(said: readonly AgentEvent[], sent: Promise<void> = Promise.resolve()) {
  const closed = Promise.withResolvers<void>();
  async function* events() {
    yield said;
    await closed.promise;
    yield [exited];
  }
  const session = {
    events: events(),
    state: undefined,
    models: [],
    prompt: () => sent,
    configure: () => Promise.resolve(),
    close: () => Promise.resolve(closed.resolve()),
  };
  return session as unknown as AcpSession;
}

function restarting(first: AcpSession, next: AcpSession): RestartingSession {
  return new RestartingSession({
    program: { id: "some", name: "Some" },
    first,
    start: () => Promise.resolve(next),
    options: { mode: "ask" },
  });
}

test("hides the exit of the old program, even when it is read late", async () => {
  const session = restarting(fake([]), fake([ended]));
  const events = session.events[Symbol.asyncIterator]();
  await events.next();
  await session.configure({ mode: "read" });
  const types: string[] = [];
  for (let next = await events.next(); next.done !== true; next = await events.next()) {
    types.push(...next.value.map(({ type }) => type));
    if (types.includes("turn.ended")) await session.close();
  }
  expect(types).toEqual(["turn.ended", "process.exited"]);
});

test("refuses a restart while a prompt is being sent, and allows it after the prompt was refused", async () => {
  const sent = Promise.withResolvers<void>();
  const session = restarting(fake([], sent.promise), fake([]));
  const prompting = session.prompt({ text: "go" });
  await expect(session.configure({ mode: "read" })).rejects.toMatchObject({ code: "session_busy" });
  sent.reject(new Error("not taken"));
  await expect(prompting).rejects.toThrow("not taken");
  await session.configure({ mode: "read" });
});
