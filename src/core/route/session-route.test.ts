import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { Agent } from "../../agents/contract.ts";
import { Policy } from "../policy/policy.ts";
import { noCapabilities } from "../../events/capabilities.ts";
import { ReinsError, type ErrorInfo } from "../../events/errors.ts";
import { createRedactor } from "../../events/redact.ts";
import { stamp } from "../../../test/support/histories.ts";
import { CircuitBreaker } from "./circuit-breaker.ts";
import { defaultChoices } from "./failure-actions.ts";
import { behindBriefing, SessionRoute, waitingMessage, waitUntil, type Candidate } from "./session-route.ts";

const said: string[] = [];
const nobody = new AbortController().signal;
let breaker: CircuitBreaker;

const active = (name: string, contextSize?: number): Candidate => ({
  name,
  agent: { id: name, name, capabilities: noCapabilities } as unknown as Agent,
  options: {},
  ownModel: (model) => model,
  policy: new Policy({ rules: [], agent: name, scope: { cwd: "/" } }),
  remarks: [],
  contextSize,
});
const relay = (names: readonly string[], broken: readonly string[] = []): SessionRoute =>
  new SessionRoute({
    route: {
      names,
      choices: defaultChoices,
      breaker,
      prepare: (name) =>
        broken.includes(name)
          ? Promise.reject(new ReinsError("unsupported", "It is not ready.", { help: "Make it so." }))
          : Promise.resolve(active(name)),
    },
    keep: undefined,
    mode: () => "ask",
    knowsPast: true,
    redact: createRedactor({}),
    say: (code, message) => void said.push(`${code}: ${message}`),
  });
const error = (code: ErrorInfo["code"], ms?: number): ErrorInfo => ({
  code,
  message: "It failed.",
  retryable: true,
  resetsAt: ms === undefined ? undefined : new Date(Date.now() + ms).toISOString(),
});
const to = (step: Awaited<ReturnType<SessionRoute["next"]>>) => (step?.do === "switch" ? step.next.name : step?.do);

beforeEach(() => {
  vi.useFakeTimers({ now: Date.UTC(2026, 10, 15) });
  said.length = 0;
  breaker = new CircuitBreaker();
});
afterEach(() => void vi.useRealTimers());

it("tries each agent of the route once per turn", async () => {
  const route = relay(["a", "b", "c"]);
  expect(to(await route.next(active("b"), error("overloaded"), nobody))).toBe("c");
  expect(to(await route.next(active("c"), error("overloaded"), nobody))).toBe("a");
  expect(route.afterFailure(active("a"), error("overloaded")).goesOn).toBe(false);
  expect(await route.next(active("a"), error("overloaded"), nobody)).toBeUndefined();
  for (const event of stamp([{ type: "turn.started", origin: "prompt", input: { text: "x" } }])) route.follow(event);
  for (const name of ["a", "b", "c"]) breaker.clear(name);
  expect(to(await route.next(active("a"), error("overloaded"), nobody))).toBe("b");
});

it("says why an agent is skipped", async () => {
  expect(to(await relay(["a", "b", "c"], ["b"]).next(active("a"), error("network"), nobody))).toBe("c");
  expect(said).toEqual(["route: b cannot take the turn: It is not ready. Make it so."]);
});

it("waits for the agent that is back first, if that is soon", async () => {
  breaker.failed("b", error("rate_limited", 50_000));
  breaker.failed("c", error("rate_limited", 20_000));
  const next = relay(["a", "b", "c"]).next(active("a"), error("quota_exhausted", 3_600_000), nobody);
  await vi.advanceTimersByTimeAsync(20_000);
  expect(to(await next)).toBe("c");
  expect(said.map((line) => line.slice(0, line.indexOf(":")))).toEqual(["route", "route", "waiting"]);
});

it("does not wait for agents that are back late", async () => {
  for (const name of ["b", "c"]) breaker.failed(name, error("quota_exhausted", 3_600_000));
  expect(await relay(["a", "b", "c"]).next(active("a"), error("overloaded"), nobody)).toBeUndefined();
});

it("waits for the last agent too, but only on a route", async () => {
  const next = relay(["a", "b"], ["b"]).next(active("a"), error("rate_limited", 1000), nobody);
  await vi.advanceTimersByTimeAsync(1000);
  expect(to(await next)).toBe("again");
  expect(relay(["a"]).afterFailure(active("a"), error("rate_limited", 1000)).goesOn).toBe(false);
});

it("ends a wait when the signal aborts", async () => {
  const wanted = new AbortController();
  const next = relay(["a", "b"]).next(active("a"), error("rate_limited", 1000), wanted.signal);
  wanted.abort();
  expect(await next).toBeUndefined();
});

it("limits the briefing to half of the next agent's context", async () => {
  const route = relay(["a", "b"]);
  for (const event of stamp([
    { type: "turn.started", origin: "prompt", input: { text: "Do it." }, turnId: "t" } as never,
    { type: "message.completed", messageId: "m", text: "word ".repeat(2000) },
  ]))
    route.follow({ ...event, agent: "a" });
  expect(route.account(active("b")).briefingChars).toBeGreaterThan(2000);
  expect(route.account(active("b", 2000)).briefingChars).toBeLessThanOrEqual(1000);
  expect(route.account(active("a")).briefingChars).toBe(0);
});

it("keeps no state of a fork, because resuming it would write into the original", () => {
  const route = relay(["a", "b"]);
  for (const event of stamp([
    { type: "session.started", mode: "ask", cwd: "/w", resumed: false, state: "a:1:x" },
    { type: "notice", level: "info", code: "x", message: "x" },
  ]))
    route.knowledge.follow({ ...event, agent: "a" });
  expect(route.knowledge.stateOf("a")).toBe("a:1:x");
  route.knowledge.forgetStates();
  expect(route.knowledge.stateOf("a")).toBeUndefined();
});

it("waits until the time, or until the signal aborts", async () => {
  const wanted = new AbortController();
  const [first, second] = [waitUntil(Date.now() + 1000, wanted.signal), waitUntil(Date.now() + 9000, wanted.signal)];
  await vi.advanceTimersByTimeAsync(1000);
  expect(await first).toBe(true);
  wanted.abort();
  expect(await second).toBe(false);
  expect(await waitUntil(Date.now(), wanted.signal)).toBe(false);
  expect(vi.getTimerCount()).toBe(0);
});

it("does not wait for a time in the past", async () => {
  const waited = waitUntil(Date.now() - 5000, new AbortController().signal);
  await vi.advanceTimersByTimeAsync(0);
  expect(await waited).toBe(true);
});

it("names the time it waits for", () => {
  expect(waitingMessage("Puppet", Date.UTC(2026, 10, 15))).toContain("2026-11-15T00:00:00.000Z");
});

const image = { kind: "image", path: "/a.png" } as const;

it("puts the briefing before the prompt and keeps attachments", () => {
  expect(behindBriefing("", { text: "Do it." })).toEqual({ text: "Do it." });
  expect(behindBriefing("# Briefing", { text: "Do it.", attachments: [image] })).toEqual({
    text: "# Briefing\n\n---\n\nDo it.",
    attachments: [image],
  });
});

it("does not repeat a long prompt that is in the briefing, and never loses another", () => {
  const text = "word ".repeat(1000);
  expect(behindBriefing(`# Briefing ${text}`, { text }).text).toMatch(/---\n\nContinue with the latest request\.$/);
  expect(behindBriefing(`# Briefing ${text.slice(0, 2000)}`, { text }).text.endsWith(text)).toBe(true);
});
