/** Random actions of callers, agents and clocks in any order. Time is virtual; the folder and the agent answer when the test says so. */
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { fc } from "../../../test/support/fast-check.ts";
import { expectLawful } from "../../../test/support/lawful.ts";
import { createPuppet, type Puppet, type PuppetSession } from "../../../test/support/puppet.ts";
import { fakeActive } from "../../../test/support/session-state.ts";
import { defaultDeadlines } from "../../events/deadlines.ts";
import { defaultLimits } from "../../events/limits.ts";
import { createRedactor } from "../../events/redact.ts";
import type { AgentEvent, ReinsEvent } from "../../events/types.ts";
import type { ReinsError } from "../../events/errors.ts";
import { createProcesses } from "../../process/index.ts";
import type { SessionOptions, TurnResult } from "../api.ts";
import { nothingSpent } from "../budget/budget.ts";
import { MemoryDays } from "../budget/spend-history.ts";
import { createMemoryLog } from "../log/memory-log.ts";
import { defaultLiveLimits, LiveAgents } from "../pool/live-agents.ts";
import { CircuitBreaker } from "../route/circuit-breaker.ts";
import { defaultChoices } from "../route/failure-actions.ts";
import type { Candidate } from "../route/session-route.ts";
import { CoreSession } from "./session.ts";
import type { SessionDeps } from "./deps.ts";
import type { SessionRuntime } from "./runtime.ts";
import { TurnHandle } from "./turn-handle.ts";

beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "setInterval", "clearInterval"] }));
afterEach(() => void vi.useRealTimers());

const id = fc.constantFrom("a", "b", "c");
const parent = fc.constantFrom(undefined, undefined, "t");
const call = fc.record({ callId: id, parent, tool: fc.constantFrom("shell", "write", "read", "task", "plan") });
/** Unique texts, because an agent that repeats a text breaks a law itself. */
const text = fc.uuid();
const described = { title: "T", input: {}, nativeName: "X" } as const;
const event: fc.Arbitrary<AgentEvent> = fc.oneof(
  fc.record({ type: fc.constant("message.delta"), messageId: id, text, parent }),
  fc.record({ type: fc.constant("message.completed"), messageId: id, text, parent }),
  call.map((one) => ({ type: "tool.started" as const, ...described, ...one, kind: "other" as const })),
  call.map((one) => ({ type: "tool.completed" as const, ...one, output: { text: "", bytes: 0, kept: 0 } })),
  fc.tuple(call, id).map(([one, requestId]) => ({ type: "tool.held" as const, ...described, ...one, requestId })),
  fc.tuple(call, id).map(([{ callId, tool, parent: of }, requestId]) => ({
    type: "permission.requested" as const,
    ...{ callId, tool, requestId, title: "T", input: {}, parent: of, options: [] },
  })),
  fc.record({ type: fc.constant("question.requested"), requestId: id, questions: fc.constant([]), parent }),
  fc.record({
    type: fc.constant("permission.resolved"),
    requestId: id,
    outcome: fc.constant("cancelled"),
    by: fc.constant("agent"),
  }),
  fc.record({
    type: fc.constant("session.updated"),
    mode: fc.constantFrom("plan", "read", "ask", "edits", "full"),
    by: fc.constant("agent"),
  }),
  fc.record({ type: fc.constant("turn.ended"), outcome: fc.constantFrom("done", "cancelled", "refused") }),
  fc.constant<AgentEvent>({
    type: "turn.ended",
    outcome: "failed",
    error: { code: "network", message: "Cut off.", retryable: true },
  }),
  fc.constant<AgentEvent>({ type: "process.exited", code: 1, signal: null, stderrTail: "" }),
) as fc.Arbitrary<AgentEvent>;

const step = fc.oneof(
  fc.record({ do: fc.constant("prompt" as const), whenBusy: fc.constantFrom("reject", "queue", "steer") }),
  fc.record({ do: fc.constant("say" as const), events: fc.array(event, { minLength: 1, maxLength: 4 }) }),
  fc.record({ do: fc.constant("configure" as const), mode: fc.constantFrom("plan", "read", "ask", "edits", "full") }),
  fc.record({ do: fc.constant("answer" as const), requestId: id, reply: fc.constantFrom("allow", "deny", "stop") }),
  fc.record({ do: fc.constant("wait" as const), ms: fc.constantFrom(1, 1_000, 20_000, 400_000) }),
  fc.record({ do: fc.constantFrom("cancel", "die", "explode", "handoff", "sleep", "stall", "refuse", "fail") }),
  fc.record({ do: fc.constant("gate" as const), gate: fc.constantFrom("looking", "opening", "leaving", "steering") }),
);

/**
 * Checks that a leg is sent nothing after it began to close or reported its exit, and that each answer is for an open
 * request of that leg.
 */
class Watched {
  readonly wrong: string[] = [];

  watch(session: PuppetSession, gates: Gates): void {
    const { wrong } = this;
    const given = { ...session };
    let [isClosing, hasExited, isRead] = [false, false, false];
    const asked = new Map<string, number>();
    const note = (what: string): void => {
      if (isClosing) wrong.push(`${what} to a leg that is being closed`);
      if (hasExited) wrong.push(`${what} to a leg that exited`);
    };
    async function* events() {
      for await (const batch of given.events) {
        for (const one of batch)
          if (one.type === "tool.held" || one.type === "permission.requested" || one.type === "question.requested")
            asked.set(one.requestId, (asked.get(one.requestId) ?? 0) + 1);
        yield batch;
        hasExited ||= batch.some(({ type }) => type === "process.exited");
      }
      // The session notices the end of the stream a moment later.
      setImmediate(() => (isRead = true));
    }
    Object.assign(session, { events: events() });
    session.prompt = (...args) => {
      note("prompt");
      return given.prompt(...args);
    };
    session.steer = async (input) => {
      note("steer");
      await gates.steering.pass();
      if (isClosing) throw new Error("It is gone.");
      return given.steer!(input);
    };
    session.cancel = () => {
      note("cancel");
      return given.cancel();
    };
    session.close = async () => {
      isClosing = true;
      await gates.leaving.pass();
      return given.close();
    };
    session.answer = (requestId, answer) => {
      // While it is being closed, the agent may still ask.
      if (isRead || hasExited) wrong.push("answer to a leg that is gone");
      const open = asked.get(requestId) ?? 0;
      if (open === 0) wrong.push(`answer to ${requestId}, which was not asked, or is answered`);
      asked.set(requestId, open - 1);
      given.answer(requestId, answer);
    };
  }
}

class CountedHandle extends TurnHandle {
  settled = 0;

  override complete(result: TurnResult): void {
    this.settled++;
    super.complete(result);
  }

  override refuse(error: ReinsError): void {
    this.settled++;
    super.refuse(error);
  }
}

/** Promises that the test resolves. */
class Gate {
  #waiting: PromiseWithResolvers<void>[] = [];
  isOpen = true;

  async pass(): Promise<void> {
    if (this.isOpen) return;
    const waiting = Promise.withResolvers<void>();
    this.#waiting.push(waiting);
    await waiting.promise;
  }

  release(): void {
    for (const { resolve } of this.#waiting.splice(0)) resolve();
  }
}

async function settle(): Promise<void> {
  for (let turn = 0; turn < 4; turn++) await new Promise((resolve) => setImmediate(resolve));
}

type Gates = Readonly<Record<"looking" | "opening" | "leaving" | "steering", Gate>>;

/** Ways to answer: a person, a callback, a failing callback, nobody. */
const asked = {
  person: { attended: true },
  callback: { onPermission: () => "allow" },
  failing: { onPermission: () => Promise.reject(new Error("Out.")), onQuestion: () => undefined as never },
  nobody: {},
} as const satisfies Record<string, SessionOptions>;

interface Scene {
  readonly session: CoreSession;
  readonly puppets: readonly [Puppet, Puppet];
  readonly watched: Watched;
  readonly gates: Gates;
  readonly live: LiveAgents;
  /** The session's runtime, once an agent was started. */
  readonly runtime: () => SessionRuntime | undefined;
}

async function stage(who: keyof typeof asked, hasFallback: boolean): Promise<Scene> {
  const watched = new Watched();
  const gates: Gates = { looking: new Gate(), opening: new Gate(), leaving: new Gate(), steering: new Gate() };
  const { looking, opening } = gates;
  const puppets = ["a", "b"].map((name) => createPuppet({ id: name })) as [Puppet, Puppet];
  const holders = await Promise.all(
    puppets.map(async ({ entry }): Promise<Candidate> => {
      const agent = (await entry.load()).createAgent({} as never);
      const open = agent.open.bind(agent);
      const opened: typeof agent = {
        ...agent,
        open: async (options) => {
          await opening.pass();
          const made = (await open(options)) as PuppetSession;
          watched.watch(made, gates);
          return made;
        },
      };
      return { ...fakeActive(agent.id), agent: opened, options: asked[who], remarks: [], contextSize: undefined };
    }),
  );
  const limits = { ...defaultLimits };
  const redact = createRedactor({});
  const live = new LiveAgents({
    limits: defaultLiveLimits,
    memory: () => Promise.resolve(undefined),
    freeMemory: () => 2 ** 40,
  });
  let runtime: SessionRuntime | undefined;
  const enter = live.enter.bind(live);
  live.enter = (entering, ...rest) => {
    runtime = entering as SessionRuntime;
    return enter(entering, ...rest);
  };
  const deps: SessionDeps = {
    id: "ses_1",
    cwd: "/nowhere/at/all",
    active: holders[0]!,
    previousAgent: undefined,
    route: {
      names: hasFallback ? ["a", "b"] : ["a"],
      choices: defaultChoices,
      breaker: new CircuitBreaker(),
      prepare: (name) => Promise.resolve(holders[name === "b" ? 1 : 0]!),
    },
    log: createMemoryLog(limits).open("ses_1"),
    put: undefined,
    resumed: undefined,
    repository: {
      snapshot: async () => {
        await looking.pass();
        return { head: undefined, dirty: new Map() };
      },
      changesSince: async () => {
        await looking.pass();
        return [];
      },
    },
    following: {
      ...{ budget: undefined, days: new MemoryDays(), before: nothingSpent, fresh: true },
      ...{ after: undefined, afterSource: "user", rules: undefined, env: {} },
      processes: createProcesses({ env: {}, deadlines: defaultDeadlines, limits, redact, guardian: false, runId: "r" }),
    },
    redact,
    deadlines: defaultDeadlines,
    limits,
    mode: "ask",
    startNotices: [],
    onAgentFailure: () => {},
    onClose: () => {},
    live,
  };
  return { session: new CoreSession(deps), puppets, watched, gates, live, runtime: () => runtime };
}

test("settles prompts and requests once, sends legs nothing late, ends cancels, and leaves nothing", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom("person", "callback", "failing", "nobody"),
      fc.boolean(),
      fc.array(step, { maxLength: 40 }),
      async (who, fallback, steps) => {
        const scene = await stage(who, fallback);
        const { session, puppets, watched, gates } = scene;
        const handles: CountedHandle[] = [];
        await session.open();
        const works: Promise<unknown>[] = [];
        for (const one of steps) {
          const agent = puppets[session.agent === "b" ? 1 : 0].sessions.at(-1);
          if (one.do === "prompt") {
            const handle = new CountedHandle();
            handles.push(handle);
            session.submit(handle, "go", { whenBusy: one.whenBusy as "queue" });
          } else if (one.do === "say") agent?.say(...one.events);
          else if (one.do === "configure") works.push(session.configure({ mode: one.mode as "ask" }).catch(() => {}));
          else if (one.do === "answer") {
            try {
              session.answer(one.requestId, one.reply as "allow");
            } catch {
              // No request waits for this answer.
            }
          } else if (one.do === "wait") await vi.advanceTimersByTimeAsync(one.ms);
          else if (one.do === "cancel") works.push(session.cancel());
          else if (one.do === "die") agent?.die();
          else if (one.do === "explode") agent?.explode(new Error("Boom."));
          else if (one.do === "handoff")
            works.push(session.handoff({ to: session.agent === "a" ? "b" : "a" }).catch(() => {}));
          else if (one.do === "gate") gates[one.gate as "looking"].isOpen = !gates[one.gate as "looking"].isOpen;
          else if (one.do === "stall") for (const puppet of puppets) puppet.onCancel = () => {};
          else if (one.do === "refuse")
            for (const puppet of puppets) puppet.onCancel = () => Promise.reject(new Error("No."));
          else if (one.do === "fail") {
            const puppet = puppets[session.agent === "b" ? 1 : 0];
            puppet.onPrompt = () => {
              puppet.onPrompt = () => {};
              return Promise.reject(new Error("No prompt."));
            };
          } else works.push(scene.live.becameIdle());
          for (const gate of Object.values(gates)) if (gate.isOpen) gate.release();
          await settle();
        }
        for (const gate of Object.values(gates)) {
          gate.isOpen = true;
          gate.release();
        }
        await settle();
        // After a cancel and some time the turn is over, whatever the agent does.
        const cancelled = session.cancel();
        await settle();
        await vi.advanceTimersByTimeAsync(defaultDeadlines.cancel);
        await cancelled;
        await session.close();
        await Promise.all(works);
        await settle();
        const events: ReinsEvent[] = [];
        for await (const recorded of session.events()) events.push(recorded);
        expectLawful(events);
        expect(handles.filter(({ settled }) => settled !== 1)).toEqual([]);
        expect(watched.wrong).toEqual([]);
        for (const type of ["permission", "question"] as const) {
          const requested = events.filter((one) => one.type === `${type}.requested`).length;
          expect(events.filter((one) => one.type === `${type}.resolved`)).toHaveLength(requested);
        }
        const sessions = puppets.flatMap((puppet) => puppet.sessions);
        expect(sessions.filter(({ closed }) => !closed)).toEqual([]);
        expect(vi.getTimerCount()).toBe(0);
        const { requested, results, state } = scene.runtime()!;
        expect([requested.size, results.size, state.requests.size]).toEqual([0, 0, 0]);
        expect([state.queue, state.steers, state.heldAnswers, state.turn]).toEqual([[], [], [], undefined]);
      },
    ),
    { numRuns: 600 },
  );
}, 600_000);
