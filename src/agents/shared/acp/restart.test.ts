import { expect, test } from "vitest";
import type { AcpSession } from "../../../protocols/acp/index.ts";
import type { AgentEvent } from "../../../events/types.ts";
import { RestartingSession } from "./restart.ts";

const exited: AgentEvent = { type: "process.exited", code: 0, signal: null, stderrTail: "" };
const ended: AgentEvent = { type: "turn.ended", outcome: "done" };

/** One that says these things, and its end once it is closed. */
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

test("the end of the old program is nobody's business, however late it is read", async () => {
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

test("while a prompt is being sent nothing is started anew, and one that was refused does not count", async () => {
  const sent = Promise.withResolvers<void>();
  const session = restarting(fake([], sent.promise), fake([]));
  const prompting = session.prompt({ text: "go" });
  await expect(session.configure({ mode: "read" })).rejects.toMatchObject({ code: "session_busy" });
  sent.reject(new Error("not taken"));
  await expect(prompting).rejects.toThrow("not taken");
  await session.configure({ mode: "read" });
});
