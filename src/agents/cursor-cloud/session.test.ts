/** Sessions with an agent in the cloud, without a core. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { setImmediate as soon } from "node:timers/promises";
import { expect, onTestFinished, test, vi } from "vitest";
import { cloud, type Cloud } from "../../../test/support/cloud.ts";
import { only } from "../../../test/support/drive.ts";
import type { AgentEvent } from "../../events/types.ts";
import { scenarioPrompt } from "../../testing/index.ts";
import { realClock } from "./rate-limit.ts";

const ended = ({ type }: AgentEvent): boolean => type === "turn.ended";
const said = (events: readonly AgentEvent[]): string =>
  only(events, "message.delta")
    .map(({ text }) => text)
    .join("");
const outcome = (events: readonly AgentEvent[]) => events.at(-1);

const tools = (events: readonly AgentEvent[]): string[] =>
  events.flatMap((event) => (event.type.startsWith("tool.") ? [event.type] : []));

test("sends a prompt and another one, and reports both", async () => {
  const { open, api, cwd } = await cloud();
  const { drive, session } = await open({
    model: "scripted",
    remote: { repository: "git@github.com:o/r.git", createPr: true },
  });
  expect([session.state, api.calls.length]).toEqual([undefined, 1]);
  const first = await drive.turn(scenarioPrompt("write", "a.txt"));
  expect(drive.events[0]).toMatchObject({ type: "session.started", model: "scripted-1", resumed: false, cwd });
  expect(only(first, "file.changed")).toMatchObject([{ path: "a.txt", op: "create" }]);
  expect(only(first, "notice").map(({ message }) => message)).toEqual([
    expect.stringMatching(/^The agent works at https:\/\/cursor\.com\/agents\/bc-/),
    expect.stringMatching(/^The agent pushed the branch cursor\/\w+ of github\.com\/o\/r, and the pull request https:/),
  ]);
  expect(outcome(first)).toMatchObject({ outcome: "done", usage: { input: 200, output: 40 } });
  expect(session.state).toBe(`cursor-cloud:1:${api.agents[0]?.id}`);
  const second = await drive.turn(scenarioPrompt("text"));
  expect(said(second)).toBe("Hello from the scripted model.");
  expect(api.agents).toHaveLength(1);
  expect(api.agents[0]?.runs).toHaveLength(2);
  expect(api.agents[0]?.asked).toMatchObject({
    repos: [{ url: "https://github.com/o/r" }],
    autoCreatePR: true,
    mode: "agent",
  });
  expect(existsSync(join(cwd, "a.txt"))).toBe(true);
});

test("continues a run after the session is closed, and reports the rest once when resumed", async () => {
  const { open, model, api } = await cloud();
  const first = await open();
  await first.session.prompt({ text: scenarioPrompt("slow-text", "brief") });
  const before = await first.drive.until(({ type }) => type === "message.delta");
  await first.session.close();
  const left = await first.drive.rest();
  expect(outcome(left)).toMatchObject({ outcome: "interrupted", error: { code: "cancelled" } });
  expect(api.agents[0]?.runs[0]?.status).toBe("RUNNING");
  const { state } = first.session;
  expect(state).toMatch(/^cursor-cloud:1:bc-[\w-]+:run-[\w-]+:\w+/);
  const again = await open({ state });
  model.release("slow");
  const after = await again.drive.until(ended);
  expect(again.drive.events[0]).toMatchObject({ type: "session.started", resumed: true });
  expect(outcome(after)).toMatchObject({ outcome: "done", origin: "agent" });
  expect(said(before) + said(left) + said(after)).toBe(api.agents[0]?.runs[0]?.result);
  expect(again.session.state).toBe(`cursor-cloud:1:${api.agents[0]?.id}`);
});

test("reports a run that ended while nobody followed it", async () => {
  const { open, model, api } = await cloud();
  const first = await open();
  await first.session.prompt({ text: scenarioPrompt("slow-text", "brief") });
  const before = await first.drive.until(({ type }) => type === "message.delta");
  await first.session.close();
  const rest = await first.drive.rest();
  model.release("slow");
  await api.agents[0]?.runs[0]?.done;
  const again = await open({ state: first.session.state });
  const after = await again.drive.until(ended);
  expect(said(before) + said(rest) + said(after)).toBe(api.agents[0]?.runs[0]?.result);
  expect(said(await again.drive.turn(scenarioPrompt("text")))).toBe("Hello from the scripted model.");
});

test("keeps the position when a session is opened and closed without reading", async () => {
  const { open } = await cloud();
  const first = await open();
  await first.session.prompt({ text: scenarioPrompt("slow-text") });
  await first.drive.until(({ type }) => type === "message.delta");
  await first.session.close();
  await first.drive.rest();
  const { state } = first.session;
  const { session, drive } = await open({ state });
  await session.close();
  expect((await drive.rest())[0]).toMatchObject({ type: "session.started", resumed: true, state });
  expect(session.state).toBe(state);
});

test("records the run before any of its events", async () => {
  const { open, api } = await cloud();
  const { drive } = await open();
  await drive.turn(scenarioPrompt("text"));
  await drive.turn(scenarioPrompt("text"));
  const [agent] = api.agents;
  const runs = agent!.runs.map(({ id }) => `cursor-cloud:1:${agent!.id}:${id}`);
  expect(only(drive.events, "session.updated").map(({ state }) => state)).toEqual(runs);
});

test("waits with a prompt for the run that is in progress", async () => {
  const { open, model } = await cloud();
  const first = await open();
  await first.session.prompt({ text: scenarioPrompt("slow-text", "brief") });
  await first.drive.until(({ type }) => type === "message.delta");
  await first.session.close();
  const { session, drive } = await open({ state: first.session.state });
  const prompted = session.prompt({ text: scenarioPrompt("text") });
  model.release("slow");
  await drive.until(ended);
  await prompted;
  expect(said(await drive.until(ended))).toBe("Hello from the scripted model.");
});

/** Runs a prompt with a tool, after the given fault. */
async function troubled(trouble: (place: Cloud) => void): Promise<AgentEvent[]> {
  const place = await cloud();
  const { drive } = await place.open();
  trouble(place);
  return drive.turn(scenarioPrompt("write", "a.txt"));
}

test("resumes a broken stream after the last event", async () => {
  const events = await troubled(({ api }) => (api.faults.cutAfter = 3));
  expect(only(events, "agent.retrying")).toHaveLength(1);
  expect(tools(events)).toEqual(["tool.started", "tool.completed"]);
  expect(said(events)).toMatch(/^I will write it\.Done\b/);
  expect(outcome(events)).toMatchObject({ outcome: "done" });
});

test.each([
  ["is no longer kept", (place: Cloud) => (place.api.faults.expired = true)],
  ["does not exist", ({ api }: Cloud) => api.faults.add({ path: /stream$/, times: 9, answer: { status: 404 } })],
  [
    "does not know the last event",
    ({ api }: Cloud) =>
      api.faults.add({ path: /stream$/, times: 9, answer: { status: 400, body: { code: "invalid_last_event_id" } } }),
  ],
])("polls a run whose stream %s, and reports its last message", async (_what, trouble) => {
  const events = await troubled(trouble);
  expect(said(events)).toMatch(/^Done\b/);
  expect(outcome(events)).toMatchObject({ outcome: "done", usage: { input: 200 } });
});

test("reconnects a stream that ends too soon while the run continues", async () => {
  const { open, api, model } = await cloud();
  const { drive, session } = await open();
  const headers = { "content-type": "text/event-stream" };
  api.faults.add({ path: /stream$/, times: 3, answer: { status: 200, headers, body: "event: done\ndata: {}\n\n" } });
  await session.prompt({ text: scenarioPrompt("slow-text", "brief") });
  const before = await drive.until(({ type }) => type === "message.delta");
  model.release("slow");
  const after = await drive.until(ended);
  expect(said(before) + said(after)).toBe(api.agents[0]?.runs[0]?.result);
  expect(api.calls.filter(({ path }) => path.endsWith("/stream"))).toHaveLength(4);
});

test("reports the cost of a run when known, and nothing while it is not counted", async () => {
  const { open, api } = await cloud();
  const { drive } = await open();
  await drive.turn(scenarioPrompt("text"));
  const answer = (usage: object) => () => {
    const id = api.agents[0]!.runs.at(-1)!.id;
    return { runs: [{ id, usage, cost: { chargedCents: 12 } }] };
  };
  for (const [usage, told] of [
    [{ inputTokens: 5 }, { usage: { input: 5, output: 0, cacheRead: 0, cacheWrite: 0 }, costUsd: 0.12 }],
    [{ inputTokens: 0 }, {}],
  ] as const) {
    api.faults.add({ path: /usage$/, answer: answer(usage) });
    expect(outcome(await drive.turn(scenarioPrompt("text")))).toEqual({ type: "turn.ended", outcome: "done", ...told });
  }
  api.faults.add({ path: /usage$/, answer: { status: 403 } });
  expect(outcome(await drive.turn(scenarioPrompt("text")))).toEqual({ type: "turn.ended", outcome: "done" });
});

test("waits for a stream with too many readers", async () => {
  const events = await troubled(({ api }) => {
    api.faults.add({ path: /stream$/, answer: { status: 429, headers: { "retry-after": "0" } } });
    api.faults.add({ path: /stream$/, answer: { status: 502 } });
  });
  expect(only(events, "agent.retrying").map(({ error }) => error.code)).toEqual(["rate_limited", "network"]);
  expect(outcome(events)).toMatchObject({ outcome: "done" });
});

test("fails the turn when the stream is refused, and finds the run at the next prompt", async () => {
  const { open, api } = await cloud();
  const { drive } = await open();
  api.faults.add({ path: /stream$/, answer: { status: 401 } });
  expect(outcome(await drive.turn(scenarioPrompt("text")))).toMatchObject({ error: { code: "not_authenticated" } });
  await api.agents[0]?.runs[0]?.done;
  expect(said(await drive.turn(scenarioPrompt("echo", "again")))).toContain("Hello from the scripted model.");
});

test.each([
  ["cannot be reached", "network", "destroy"],
  ["is overloaded", "overloaded", { status: 503 }],
] as const)(
  "stops following a run whose service %s for long without failing it, and finds it again",
  async (_what, code, answer) => {
    const { open, api } = await cloud();
    const { drive } = await open();
    vi.spyOn(realClock, "sleep").mockImplementation((_ms, signal) => soon(undefined, { signal }));
    onTestFinished(() => void vi.restoreAllMocks());
    // As often as the stream is requested, and then the run.
    api.faults.add({ path: /stream$/, times: 9, answer });
    api.faults.add({ path: /runs\/[\w-]+$/, times: 5, answer });
    const left = await drive.turn(scenarioPrompt("text"));
    expect(outcome(left)).toMatchObject({
      outcome: "interrupted",
      error: {
        code,
        message: expect.stringContaining("continues in the cloud") as string,
        help: expect.stringContaining("reins cloud follow") as string,
      },
    });
    const after = await drive.turn(scenarioPrompt("echo", "again"));
    expect(said(after)).toBe("Hello from the scripted model.");
    expect(outcome(after)).toMatchObject({ outcome: "done", origin: "agent" });
  },
);

test("creates nothing twice when answers are lost", async () => {
  const { open, api } = await cloud();
  const { drive } = await open();
  api.faults.add({ method: "POST", path: /agents$/, answer: "lost" });
  expect(said(await drive.turn(scenarioPrompt("text")))).toBe("Hello from the scripted model.");
  expect(api.agents).toHaveLength(1);
  api.faults.add({ method: "POST", path: /runs$/, answer: "lost" });
  expect(said(await drive.turn(scenarioPrompt("text")))).toBe("Hello from the scripted model.");
  expect(api.agents[0]?.runs).toHaveLength(2);
});

test("does not answer a refused prompt with earlier messages", async () => {
  const { open, api } = await cloud();
  const first = await open();
  await first.drive.turn(scenarioPrompt("text"));
  await first.session.close();
  const { drive, session } = await open({ state: first.session.state });
  api.faults.add({ method: "POST", path: /runs$/, answer: { status: 500 } });
  await expect(session.prompt({ text: scenarioPrompt("echo", "new") })).rejects.toMatchObject({ code: "overloaded" });
  expect(said(await drive.turn(scenarioPrompt("echo", "new")))).toBe("new");
});

test("finds an agent when every answer was lost or invalid", async () => {
  const { open, api } = await cloud();
  const { drive } = await open();
  api.faults.add({ method: "POST", path: /agents$/, answer: "lost" });
  api.faults.add({ method: "POST", path: /agents$/, answer: { status: 200, body: "<html>" } });
  expect(said(await drive.turn(scenarioPrompt("text")))).toBe("Hello from the scripted model.");
  expect(api.agents).toHaveLength(1);
});

test("starts no second session after a refused first prompt", async () => {
  const { open, api } = await cloud();
  const { drive, session } = await open();
  api.faults.add({ method: "POST", path: /agents$/, answer: { status: 402 } });
  await expect(session.prompt({ text: scenarioPrompt("text") })).rejects.toMatchObject({ code: "quota_exhausted" });
  await drive.turn(scenarioPrompt("text"));
  expect(only(drive.events, "session.started")).toHaveLength(1);
  expect(session.state).toBe(`cursor-cloud:1:${api.agents[0]!.id}`);
});

test("takes the repository from a pull request", async () => {
  const { open, api } = await cloud();
  const pullRequest = "https://github.com/o/r/pull/7";
  const { drive } = await open({ remote: { pullRequest } });
  await drive.turn(scenarioPrompt("text"));
  expect(api.agents[0]?.asked).toMatchObject({ repos: [{ url: "https://github.com/o/r", prUrl: pullRequest }] });
});

test("cancels the run at the service, and reports a cancel that fails", async () => {
  const { open, api } = await cloud();
  const { drive, session } = await open();
  await session.prompt({ text: scenarioPrompt("slow-text") });
  await drive.until(({ type }) => type === "message.delta");
  await session.cancel();
  expect(outcome(await drive.until(ended))).toMatchObject({ outcome: "cancelled" });
  expect(api.agents[0]?.runs[0]?.status).toBe("CANCELLED");
  await session.cancel();
  await session.prompt({ text: scenarioPrompt("slow-text") });
  await drive.until(({ type }) => type === "message.delta");
  api.faults.add({ path: /cancel$/, answer: { status: 401 } });
  await expect(session.cancel()).rejects.toMatchObject({ code: "not_authenticated" });
  const [notice] = only(await drive.until(({ type }) => type === "notice"), "notice").slice(-1);
  expect(notice).toMatchObject({
    level: "error",
    message: expect.stringContaining("may continue in the cloud") as string,
  });
});

test("counts a run as cancelled when the stream does not report it", async () => {
  const { open, api } = await cloud();
  const { drive, session } = await open();
  await session.prompt({ text: scenarioPrompt("slow-text") });
  await drive.until(({ type }) => type === "message.delta");
  api.faults.add({ path: /cancel$/, answer: () => ({}) });
  const real = globalThis.setTimeout;
  vi.spyOn(globalThis, "setTimeout").mockImplementation(((work: () => void, ms?: number) =>
    real(work, ms === 2_000 ? 1 : ms)) as typeof setTimeout);
  await session.cancel();
  vi.restoreAllMocks();
  expect(outcome(await drive.until(ended))).toEqual({ type: "turn.ended", outcome: "cancelled" });
});

test("cancels a prompt that waits to be sent or was just sent", async () => {
  const { open, api } = await cloud();
  const { drive, session } = await open();
  api.faults.add({ method: "POST", path: /agents$/, answer: { status: 429, headers: { "retry-after": "50" } } });
  const waits = session.prompt({ text: scenarioPrompt("text") });
  await drive.until(({ type }) => type === "agent.retrying");
  await session.cancel();
  await waits;
  expect(outcome(await drive.until(ended))).toMatchObject({ outcome: "cancelled" });
  expect(api.agents).toEqual([]);
  const sent = session.prompt({ text: scenarioPrompt("slow-text") });
  while (api.calls.length < 2) await new Promise(setImmediate);
  await session.cancel();
  await sent;
  expect(outcome(await drive.until(ended))).toMatchObject({ outcome: "cancelled" });
});

test("accepts one prompt at a time, and none after close", async () => {
  const { open, api } = await cloud();
  const { session, drive } = await open();
  await session.prompt({ text: scenarioPrompt("slow-text") });
  await expect(session.prompt({ text: "again" })).rejects.toMatchObject({ code: "session_busy" });
  await session.close();
  await expect(session.prompt({ text: "again" })).rejects.toMatchObject({ code: "session_not_found" });
  await drive.rest();
  // A run of somebody else, which this session does not know.
  const other = await open({ state: `cursor-cloud:1:${api.agents[0]!.id}` });
  expect(other.session.state).toContain(":1:bc-");
});

test("reports a session that cannot be opened", async () => {
  const { open } = await cloud();
  await expect(open({ state: "cursor-cloud:1:bc-nobody" })).rejects.toMatchObject({
    code: "session_not_found",
    message: "Cursor Cloud has no agent bc-nobody.",
  });
  await expect(open({ state: "cursor:1:acp:x" })).rejects.toMatchObject({ code: "session_not_found" });
  await expect(open({ model: "no-such" })).rejects.toMatchObject({ code: "model_unknown" });
  const keyless = await cloud({ CURSOR_API_KEY: "" });
  await expect(keyless.open()).rejects.toMatchObject({ code: "not_authenticated" });
});

test("rejects invalid options before sending anything", async () => {
  const { open, api } = await cloud();
  const prompt = async (remote: object, text = "x") => (await open({ remote })).session.prompt({ text });
  await expect(prompt({ repository: "/srv/here" })).rejects.toMatchObject({ code: "invalid_input" });
  await expect(prompt({ webhook: { url: "http://127.0.0.1:9", secret: "short" } })).rejects.toMatchObject({
    code: "invalid_input",
  });
  await expect(prompt({}, " ")).rejects.toMatchObject({ code: "invalid_input" });
  expect(api.calls).toEqual([]);
});

test("older API: polls whole messages of the same conversation", async () => {
  const { open, api } = await cloud({ REINS_CURSOR_CLOUD_API: "v0" });
  const remote = { repository: "https://github.com/o/r", branch: "mine", createPr: true };
  const { drive, session } = await open({ remote });
  const first = await drive.turn(scenarioPrompt("write", "a.txt"));
  expect(only(first, "message.completed").map(({ text }) => text)).toEqual([
    "I will write it.",
    expect.stringMatching(/^Done/),
  ]);
  expect(outcome(first)).toMatchObject({ outcome: "done" });
  expect(api.agents[0]?.asked).toMatchObject({ target: { branchName: "mine", autoCreatePr: true } });
  const second = await drive.turn(scenarioPrompt("text"));
  expect(said(second)).toBe("Hello from the scripted model.");
  await session.close();
  const again = await open({ state: session.state });
  expect(said(await again.drive.turn(scenarioPrompt("echo", "third")))).toBe("third");
  await again.session.prompt({ text: scenarioPrompt("slow-text") });
  await again.session.cancel();
  expect(outcome(await again.drive.until(ended))).toMatchObject({
    outcome: expect.stringMatching(/done|cancelled|interrupted/) as string,
  });
});

test("older API: sends images with their sizes, with first and further prompts", async () => {
  const { open, api } = await cloud({ REINS_CURSOR_CLOUD_API: "v0" });
  const { session, drive } = await open({ remote: { repository: "https://github.com/o/r" } });
  const data = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==";
  for (const _time of [1, 2]) {
    await session.prompt({
      text: scenarioPrompt("text"),
      attachments: [{ kind: "image", mediaType: "image/png", data }],
    });
    expect(outcome(await drive.until(ended))).toMatchObject({ outcome: "done" });
  }
  expect(api.agents[0]?.runs).toHaveLength(2);
});

test("older API: reports only the messages of a run that somebody else began", async () => {
  const { open, api, model } = await cloud({ REINS_CURSOR_CLOUD_API: "v0" });
  const first = await open({ remote: { repository: "https://github.com/o/r" } });
  await first.drive.turn(scenarioPrompt("text"));
  await first.session.prompt({ text: scenarioPrompt("slow-text", "brief") });
  await first.session.close();
  const [agent] = api.agents;
  const { drive } = await open({ state: `cursor-cloud:1:${agent!.id}` });
  model.release("slow");
  expect(said(await drive.until(ended))).toBe(agent!.runs[1]!.result);
});

test("uses the older API for a webhook, with a valid signature", async () => {
  const secret = "a-made-up-secret-of-thirty-two-chars";
  const place = await cloud({ REINS_CURSOR_CLOUD_WEBHOOK_SECRET: secret });
  const { serve } = await import("../../../test/support/http-server.ts");
  const called = Promise.withResolvers<{ headers: Record<string, string>; body: Buffer }>();
  const url = await serve(({ headers }, response, body) => {
    called.resolve({ headers: headers as Record<string, string>, body: Buffer.from(body) });
    response.end();
  });
  const { drive } = await place.open({ remote: { repository: "https://github.com/o/r", webhook: { url, secret } } });
  await drive.turn(scenarioPrompt("text"));
  const answer = await place.agent.manage.receiveWebhook!(await called.promise);
  expect(answer).toMatchObject({ status: 200, event: { id: place.api.agents[0]!.id, status: "idle" } });
});
