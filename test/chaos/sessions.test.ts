/** Many sessions of one Reins at once, each with turns, cancels, permissions and closes in between, as chance will have it. */
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

/** What may be answered to a permission; the last two are nobody there and a caller's mistake. */
const replies: readonly (PermissionReply | "never" | "throw")[] = [
  "allow",
  "allow",
  "always",
  "deny",
  "stop",
  "never",
  "throw",
];

test("ten sessions at once keep the laws, and nothing is left of them", async () => {
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

  /** One session's life. Its chance is its own, so that what it does hangs on the seed alone. */
  async function live(session: Session, chance: Random): Promise<void> {
    for (let n = 0; n < turns; n++) {
      const turn = session.prompt(chance.pick(prompts), { whenBusy: "queue" });
      const what = chance.below(5);
      if (what === 0) await cancelAfter(turn, chance.below(12));
      else if (what === 1) void session.cancel();
      else if (what === 2) void session.prompt("say queued", { whenBusy: chance.pick(["queue", "steer", "reject"]) });
      else if (what === 3) await session.configure({ mode: chance.pick(modes) });
      // Nobody answers: without this it would wait for its deadline.
      void turn.result.catch(() => {});
      await settled(turn);
    }
  }

  try {
    const sessions: Session[] = [];
    {
      await using reins = createReins({
        env: { PATH: process.env["PATH"], HOME: home, REINS_HOME: home },
        // A busy machine may take long to cancel: that is not what is looked for here.
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
          // Some are closed here; the rest is in the middle of something when everything is disposed of.
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
    // It never became a turn.
  }
  await turn.cancel();
}

/** How a turn may end: with a result, or refused by a cancel while it waited. */
async function settled(turn: Turn): Promise<void> {
  const end = await turn.result.then(
    ({ outcome, error }) => error?.message ?? outcome,
    (thrown: unknown) => (isReinsError(thrown) ? `refused: ${thrown.code}` : String(thrown)),
  );
  expect(end).toMatch(/^(done|cancelled|refused: cancelled|The demo agent was asked to fail: .+)$/);
}
