/** Many sessions of one Reins at once, with turns, cancels, permissions and closes in random order. */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { PermissionReply, Session, Turn } from "../../src/core/api.ts";
import { createReins } from "../../src/core/reins.ts";
import { isReinsError } from "../../src/events/errors.ts";
import { modes } from "../../src/events/modes.ts";
import { whole } from "../support/bad-agent.ts";
import { expectLawful } from "../support/lawful.ts";
import { nothingLeft, sweep } from "../support/leftovers.ts";
import { shellScript } from "../support/processes.ts";
import { type Random, seededRandom } from "../support/random.ts";

const count = 10;
const turns = 6;

/** Possible answers to a permission; the last two are no answer and an error in the callback. */
const replies: readonly (PermissionReply | "never" | "throw")[] = [
  "allow",
  "allow",
  "always",
  "deny",
  "stop",
  "never",
  "throw",
];

test("keeps the laws in ten sessions at once and leaves no process", async () => {
  const random = seededRandom();
  const home = mkdtempSync(join(tmpdir(), "reins-sessions-"));
  const repository = join(home, "repository");
  mkdirSync(repository);
  execFileSync("git", ["init", "-q"], { cwd: repository });
  const leaves = shellScript(home, "leaves", "setsid sleep 60 & sleep 60 & echo left");
  const prompts = [
    "write a.txt one; edit a.txt one -> two; read a.txt",
    `say on; run ${leaves}; say off`,
    "run sh -c 'echo x >> b.txt'",
    "stream 200; think hard; big 60000",
    'subagent "write c.txt three; list"; say back',
    "background 20; say started",
    "ask which?; plan",
    "sleep 30; fail overloaded",
    "tell me what you can do",
  ];

  /** The random actions of a session. They use their own random source, so that they depend on the seed alone. */
  async function live(session: Session, chance: Random): Promise<void> {
    for (let n = 0; n < turns; n++) {
      const turn = session.prompt(chance.pick(prompts), { whenBusy: "queue" });
      const what = chance.below(5);
      if (what === 0) await cancelAfter(turn, chance.below(12));
      else if (what === 1) void session.cancel();
      else if (what === 2) void session.prompt("say queued", { whenBusy: chance.pick(["queue", "steer", "reject"]) });
      else if (what === 3) await session.configure({ mode: chance.pick(modes) });
      // The request gets no answer, so do not wait for its deadline.
      void turn.result.catch(() => {});
      await settled(turn);
    }
  }

  try {
    const sessions: Session[] = [];
    {
      await using reins = createReins({
        env: { PATH: process.env["PATH"], HOME: home, REINS_HOME: home },
        // A busy machine may take long to cancel, which is not tested here.
        deadlines: { permission: 50, question: 50, cancel: 120_000, term: 200, drain: 50 },
      });
      await Promise.all(
        Array.from({ length: count }, async (_, index) => {
          const chance = seededRandom(random.seed + index);
          const cwd = index % 2 === 0 ? repository : mkdtempSync(join(home, "work-"));
          const session = await reins.session({
            agent: "demo",
            cwd,
            mode: chance.pick(["ask", "ask", "edits", "full"]),
            onPermission: (_request, signal) => answer(chance, signal),
            onQuestion: () => chance.pick(["skip", { answer: "Yes" }]),
          });
          sessions.push(session);
          await live(session, chance);
          // Close some sessions here; the rest is in the middle of a turn when Reins is disposed.
          if (index % 3 === 0) await session.close();
          else session.prompt(`run ${leaves}; sleep 60000`);
        }),
      );
    }
    await nothingLeft(home);
    for (const session of sessions) {
      const events = await whole(session);
      expectLawful(events);
      expect(events.filter((event) => event.type === "turn.completed").length).toBeGreaterThanOrEqual(1);
    }
  } catch (error) {
    throw new Error(`With REINS_TEST_SEED=${random.seed}: ${error instanceof Error ? error.stack : String(error)}`);
  } finally {
    sweep(home);
    rmSync(home, { recursive: true, force: true });
  }
});

async function answer(chance: Random, signal: AbortSignal): Promise<PermissionReply> {
  const reply = chance.pick(replies);
  if (reply === "throw") throw new Error("on purpose");
  if (reply !== "never") return reply;
  return new Promise((resolve) => signal.addEventListener("abort", () => resolve("allow")));
}

async function cancelAfter(turn: Turn, events: number): Promise<void> {
  let seen = 0;
  try {
    for await (const _event of turn) if (++seen > events) break;
  } catch {
    // The prompt was refused and never became a turn.
  }
  await turn.cancel();
}

/** A turn ends with a result, or is refused because it was cancelled while queued. */
async function settled(turn: Turn): Promise<void> {
  const end = await turn.result.then(
    ({ outcome, error }) => error?.message ?? outcome,
    (thrown: unknown) => (isReinsError(thrown) ? `refused: ${thrown.code}` : String(thrown)),
  );
  expect(end).toMatch(/^(done|cancelled|refused: cancelled|The demo agent was asked to fail: .+)$/);
}
