import { realpathSync } from "node:fs";
import { expect, onTestFinished, test, vi } from "vitest";
import { apiServer, type TestServer } from "../../test/support/api-server.ts";
import type { PermissionRequest, Reins, Turn } from "../core/api.ts";
import type { ReinsEvent } from "../events/types.ts";
import { createClient, type Client, type ClientOptions } from "./index.ts";

function client(server: TestServer, more: Partial<ClientOptions> = {}): Client {
  const reins = createClient({
    url: server.url,
    token: server.tokens.own,
    cwd: server.cwd,
    patienceMs: 5_000,
    ...more,
  });
  onTestFinished(() => reins.close());
  return reins;
}

async function all(events: AsyncIterable<ReinsEvent>): Promise<ReinsEvent[]> {
  const seen: ReinsEvent[] = [];
  for await (const event of events) seen.push(event);
  return seen;
}

async function kept(reins: Reins, id: string): Promise<ReinsEvent[]> {
  return all(reins.sessions.events(id));
}

test("iterates a turn, returns its result, and yields the events of the log", async () => {
  const reins = client(await apiServer());
  const session = await reins.session({ agent: "demo" });
  const turn = session.prompt("stream 200");
  const seen = await all(turn);
  const result = await turn.result;
  expect(result).toMatchObject({ type: "turn.completed", turnId: turn.id, outcome: "done" });
  expect(seen.at(-1)).toEqual(result);
  expect(seen[0]).toMatchObject({ type: "turn.started", turnId: turn.id });
  const log = await kept(reins, session.id);
  expect(log.filter(({ seq }) => seq >= seen[0]!.seq)).toEqual(seen);
  expect(session).toMatchObject({ agent: "demo", resumedAt: 0, cwd: realpathSync(session.cwd) });
  expect(session.state).toBe(result.state);
  expect(await all(turn)).toEqual(seen);
});

test("calls the callbacks for permissions and questions, and denies at once without one", async () => {
  const server = await apiServer();
  const reins = client(server);
  const asked: PermissionRequest[] = [];
  const ask = await reins.session({
    agent: "demo",
    onPermission: (request) => {
      asked.push(request);
      return "allow";
    },
    onQuestion: (request) => Object.fromEntries(request.questions.map(({ id }) => [id, "yes"])),
  });
  const allowed = await all(ask.prompt("run echo hello"));
  expect(asked).toEqual(allowed.filter(({ type }) => type === "permission.requested"));
  expect(asked).toHaveLength(1);
  expect(allowed).toContainEqual(
    expect.objectContaining({ type: "permission.resolved", outcome: "allowed", by: "person" }),
  );
  const questions = await all(ask.prompt("ask Which one?"));
  expect(questions).toContainEqual(expect.objectContaining({ type: "question.resolved", by: "person" }));

  const alone = await reins.session({ agent: "demo" });
  const denied = await all(alone.prompt("run echo hello"));
  expect(denied).toContainEqual(
    expect.objectContaining({ type: "permission.resolved", outcome: "denied", by: "deadline" }),
  );
  expect(denied.find(({ type }) => type === "permission.requested")).not.toHaveProperty("deadline");
});

test("denies with the reason when a callback throws, and accepts answers through session.answer", async () => {
  const reins = client(await apiServer());
  const failing = await reins.session({
    agent: "demo",
    onPermission: () => {
      throw new Error("no idea");
    },
  });
  expect(await all(failing.prompt("run echo hello"))).toContainEqual(
    expect.objectContaining({
      type: "permission.resolved",
      outcome: "denied",
      message: expect.stringContaining("no idea"),
    }),
  );
  const attended = await reins.session({ agent: "demo", attended: true });
  expect(() => attended.answer("nothing", "allow")).toThrow("No request nothing is waiting for an answer");
  const turn = attended.prompt("run echo hello");
  for await (const event of turn) if (event.type === "permission.requested") turn.answer(event.requestId, "allow");
  expect(await turn.result).toMatchObject({ outcome: "done" });
});

test("cancels, queues and rejects prompts like the in-process session", async () => {
  const reins = client(await apiServer());
  const session = await reins.session({ agent: "demo" });
  const first = session.prompt("sleep 60000");
  await begun(first);
  await expect(session.prompt("say no").result).rejects.toMatchObject({ code: "session_busy", retryable: true });
  const second = session.prompt("say second", { whenBusy: "queue" });
  const third = session.prompt("say third", { whenBusy: "queue" });
  await third.cancel();
  await expect(third.result).rejects.toMatchObject({ code: "cancelled" });
  await first.cancel();
  expect(await first.result).toMatchObject({ outcome: "cancelled" });
  expect(await second.result).toMatchObject({ outcome: "done", turnId: second.id });
  expect((await all(second))[0]).toMatchObject({ type: "turn.started", turnId: second.id });

  const stopping = new AbortController();
  const running = session.prompt("sleep 60000", { signal: stopping.signal });
  await begun(running);
  const waiting = session.prompt("say never", { whenBusy: "queue" });
  await session.cancel();
  expect(await running.result).toMatchObject({ outcome: "cancelled" });
  await expect(waiting.result).rejects.toMatchObject({ code: "cancelled" });
  stopping.abort();
  await expect(session.prompt("say x", { signal: stopping.signal }).result).rejects.toMatchObject({
    code: "cancelled",
  });
});

test("resumes, forks, renames, finds, exports and removes a session", async () => {
  const server = await apiServer();
  const reins = client(server);
  const session = await reins.session({ agent: "demo" });
  await session.prompt("say a purple giraffe").result;
  await session.close();
  await expect(session.prompt("say more").result).rejects.toMatchObject({ code: "invalid_input" });
  expect(await all(session.events())).toEqual(await kept(reins, session.id));

  const [only] = await reins.sessions.list();
  expect(only).toMatchObject({ id: session.id, turns: 1 });
  expect(only).not.toHaveProperty("waiting");
  expect(await reins.sessions.get("last")).toMatchObject({ id: session.id, allTurns: [{ outcome: "done" }] });
  expect(await reins.sessions.search("giraffe")).toMatchObject([{ session: { id: session.id } }, {}]);
  expect(await reins.sessions.rename(session.id.slice(0, 12), "Animals")).toMatchObject({ title: "Animals" });

  const again = await reins.session({ resume: "last" });
  expect(again.id).toBe(session.id);
  expect(again.resumedAt).toBe(only!.lastSeq);
  await again.prompt("say again").result;
  expect(again.resumedAt).toBe(only!.lastSeq);
  const state = again.state!;
  await again.close();
  expect((await reins.session({ resume: state })).id).toBe(session.id);

  const fork = await reins.sessions.fork(session.id);
  expect(fork).toMatchObject({ parent: session.id });
  expect(await reins.sessions.remove(fork.id)).toMatchObject({ id: fork.id });
  await expect(reins.sessions.get(fork.id)).rejects.toMatchObject({
    code: "session_not_found",
    help: expect.stringContaining("reins sessions"),
  });
  for (const name of ["", ".", "..", "ses_nobody", "a/b"])
    await expect(reins.sessions.get(name)).rejects.toMatchObject({ code: "session_not_found" });
});

test("runs one prompt and returns context, policy, agents, usage and running agents", async () => {
  const server = await apiServer();
  const reins = client(server);
  const turn = reins.run("say hello", { agent: "demo" });
  expect((await all(turn)).at(-1)).toEqual(await turn.result);
  expect((await reins.agents()).find(({ id }) => id === "demo")).toMatchObject({ ready: true });
  expect(await reins.agent("demo")).toMatchObject({ id: "demo" });
  const usage = await reins.usage();
  expect(usage.rows).toMatchObject([{ agent: "demo", turns: 1 }]);
  expect(await reins.running()).toEqual([]);
  const policy = await reins.policy();
  expect(policy.cwd).toBe(server.cwd);
  expect(await policy.test({ tool: "shell", input: { command: "ls" } })).toMatchObject({
    decision: "ask",
    by: "mode",
  });
  await expect(policy.remove(1)).rejects.toMatchObject({ code: "invalid_input", message: "There is no rule 1." });
  expect(await reins.agentFiles()).toEqual([]);
  await expect(reins.context({ agent: "demo" })).rejects.toMatchObject({ code: "unsupported" });
  await reins.warm({ agent: "demo" });
  expect(await reins.clouds()).toEqual(["cursor-cloud"]);
  expect((await reins.manage("cursor-cloud")).cloud).toBeDefined();
  const target = { repository: "https://example.com/team/project", createPr: false };
  await reins.saveCloudTarget(target);
  expect((await reins.cloudTarget()).remembered).toEqual(target);
  await reins.saveCloudTarget(undefined);
  expect((await reins.cloudTarget()).remembered).toBeUndefined();
  const demo = await reins.manage("demo");
  expect(demo.cloud).toBeUndefined();
  await expect(demo.login()).rejects.toMatchObject({ code: "unsupported" });
  await expect(reins.manage("nobody")).rejects.toMatchObject({
    code: "invalid_input",
    message: "There is no agent nobody.",
  });
  await expect(reins.run("x", { agent: "nobody" }).result).rejects.toMatchObject({
    message: "There is no agent nobody.",
  });
});

test("configures, hands off, and joins and leaves a session of another client", async () => {
  const server = await apiServer();
  const one = client(server);
  const two = client(server);
  const session = await one.session({ agent: "demo" });
  await session.prompt("say one").result;
  const other = await two.session({ resume: session.id });
  const seen = all(other.events({ after: other.resumedAt }));
  await session.configure({ mode: "plan" });
  const turn = session.prompt("say two");
  await turn.result;
  expect(await other.prompt("say three").result).toMatchObject({ outcome: "done" });
  await other.close();
  expect((await seen).filter(({ type }) => type === "turn.completed")).toHaveLength(2);
  expect(await session.prompt("say four").result).toMatchObject({ outcome: "done" });
});

test("reports an unknown token and an unreachable server in words", async () => {
  const server = await apiServer();
  await expect(client(server, { token: "wrong" }).agents()).rejects.toMatchObject({
    code: "not_authenticated",
    help: expect.stringContaining("token"),
  });
  const gone = createClient({ url: "http://127.0.0.1:9", token: "x", patienceMs: 0 });
  await expect(gone.agents()).rejects.toMatchObject({
    code: "network",
    message: "The server at http://127.0.0.1:9 does not answer.",
  });
});

test("with keepWarm lets the server start an agent with the same options for the next session", async () => {
  const warmed: unknown[] = [];
  const server = await apiServer({
    wrap: (reins) => ({ ...reins, warm: async (options) => void warmed.push(options) }),
  });
  const cold = await client(server).session({ agent: "demo", mode: "plan" });
  await cold.close();
  const reins = client(server, { keepWarm: true });
  const session = await reins.session({ agent: "demo", mode: "plan" });
  await session.prompt("say one").result;
  await session.close();
  await (await reins.session({ resume: session.id })).close();
  await (await reins.session({ agent: "demo" })).close();
  // Neither the cold nor the resumed session starts one: those would have come before the last.
  await vi.waitFor(() => expect(warmed).toHaveLength(2));
  expect(warmed).toEqual([
    { agent: "demo", mode: "plan", cwd: server.cwd, attended: true },
    { agent: "demo", cwd: server.cwd, attended: true },
  ]);
});

/** Events arrive a moment after the answer of a call. */
class SlowSocket extends WebSocket {
  override addEventListener(type: string, listener: unknown): void {
    const late = (event: unknown): void => void setTimeout(() => (listener as (event: unknown) => void)(event), 50);
    super.addEventListener(type, type === "message" ? late : (listener as () => void));
  }
}

test("with keepWarm receives all events until it closed", async () => {
  const server = await apiServer();
  const reins = client(server, { keepWarm: true, WebSocket: SlowSocket });
  const session = await reins.session({ agent: "demo" });
  const seen = all(session.events());
  await server.call(`/api/sessions/${session.id}/turns`, { method: "POST", body: { prompt: "sleep 60000" } });
  await session.close();
  expect((await seen).map(({ type }) => type)).toContain("turn.started");
});

async function begun(turn: Turn): Promise<void> {
  for await (const event of turn) if (event.type === "turn.started") return;
}

test("reports how the turn ended when the server stops, and does not wait for the server", async () => {
  const server = await apiServer();
  const asked: string[] = [];
  const reins = client(server, {
    fetch: (url, init) => {
      asked.push(url);
      return fetch(url, init);
    },
  });
  const session = await reins.session({ agent: "demo" });
  const turn = session.prompt("sleep 60000");
  const events = turn[Symbol.asyncIterator]();
  await events.next();
  const before = asked.length;
  await server.close();
  await expect(turn.result).resolves.toMatchObject({
    outcome: "interrupted",
    error: { code: "network", message: "The server was stopped, which ended the turn." },
  });
  await reins.close();
  expect(asked).toHaveLength(before);
});

test("follows one session through two objects, and closes them independently", async () => {
  const server = await apiServer();
  const reins = client(server);
  const opened = await reins.session({ agent: "demo" });
  await opened.prompt("hello").result;
  const joined = await reins.session({ resume: opened.id });
  const [first, second] = [
    opened.prompt("stream 20", { whenBusy: "queue" }),
    joined.prompt("hello again", { whenBusy: "queue" }),
  ];
  expect((await first.result).outcome).toBe("done");
  expect((await second.result).outcome).toBe("done");
  await joined.close();
  expect((await opened.prompt("hello").result).outcome).toBe("done");

  const other = await reins.session({ resume: opened.id });
  const running = other.prompt("stream 200");
  await opened.close();
  expect((await running.result).outcome).toBe("done");
  const isOpen = async () => (await server.call(`/api/sessions/${opened.id}`)).body.open as boolean;
  expect(await isOpen()).toBe(true);
  await other.close();
  expect(await isOpen()).toBe(false);
});

test("closing one of two objects of a session cancels its own running turn", async () => {
  const server = await apiServer();
  const reins = client(server);
  const opened = await reins.session({ agent: "demo" });
  const other = await reins.session({ resume: opened.id });
  const running = opened.prompt("stream 3000000");
  for await (const { type } of running) if (type === "message.delta") break;
  await opened.close();
  expect((await running.result).outcome).toBe("cancelled");
  expect((await other.prompt("hello").result).outcome).toBe("done");
});

test("a running turn continues on the server when its client leaves", async () => {
  const server = await apiServer();
  const leaving = client(server, { keepWarm: true });
  const session = await leaving.session({ agent: "demo", mode: "edits" });
  session.prompt("sleep 1500; say went on").result.catch(() => undefined);
  for await (const event of session.events()) if (event.type === "turn.started") break;
  await leaving.leave();
  const later = await client(server).session({ resume: session.id });
  for await (const event of later.events({ after: 0 })) {
    if (event.type !== "turn.completed") continue;
    expect(event).toMatchObject({ outcome: "done", text: expect.stringContaining("went on") });
    break;
  }
});

test("the next client can answer a request that waits when its client leaves", async () => {
  const server = await apiServer();
  const leaving = client(server, { keepWarm: true });
  const session = await leaving.session({ agent: "demo", attended: true });
  session.prompt("write left.txt hello").result.catch(() => undefined);
  for await (const event of session.events()) if (event.type === "permission.requested") break;
  await leaving.leave();
  const later = await client(server).session({ resume: session.id, attended: true });
  for await (const event of later.events({ after: 0 })) {
    if (event.type === "permission.requested") later.answer(event.requestId, "allow");
    if (event.type !== "turn.completed") continue;
    expect(event).toMatchObject({ outcome: "done" });
    break;
  }
});
