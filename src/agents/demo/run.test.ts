import { describe, expect, test } from "vitest";
import { openDemo } from "../../../test/support/demo.ts";
import { only } from "../../../test/support/drive.ts";
import { StandInChild } from "../../../test/support/stand-in-child.ts";
import { ReinsError } from "../../events/errors.ts";
import { defaultLimits } from "../../events/limits.ts";
import type { AgentEvent } from "../../events/types.ts";
import type { LaunchSpec } from "../../process/types.ts";

/** A demo session in mode full whose programs are one stand-in. */
async function openWithChild() {
  const child = new StandInChild();
  const specs: LaunchSpec[] = [];
  const opened = await openDemo({
    mode: "full",
    env: { EXTRA: "1" },
    launch: (spec) => {
      specs.push(spec);
      return Promise.resolve(child);
    },
  });
  return { ...opened, child, specs };
}

const ended = (event: AgentEvent): boolean => event.type === "turn.ended";

describe("run", () => {
  test("starts a program with words, not a shell line, in the folder", async () => {
    const { drive, child, specs, cwd } = await openWithChild();
    child.exit();
    const said = await drive.turn('run node -e "1; 2" $HOME');
    expect(specs).toEqual([
      {
        command: "node",
        args: ["-e", "1; 2", "$HOME"],
        cwd,
        env: { PATH: "/usr/bin", EXTRA: "1" },
        agent: "demo",
        sessionId: "ses_1",
        stdin: "ignore",
      },
    ]);
    expect(only(said, "tool.started")).toMatchObject([
      { tool: "shell", nativeName: "run", kind: "execute", title: 'Run node -e "1; 2" $HOME' },
    ]);
  });

  test("reports its output as it comes, and whole at the end, with the exit code", async () => {
    const { drive, child, session } = await openWithChild();
    await session.prompt({ text: "run build" });
    child.print("one", "two");
    expect((await drive.until((event) => event.type === "tool.progress")).at(-1)).toMatchObject({
      output: "one\ntwo\n",
    });
    child.print("three");
    child.stderr = "oh no";
    child.exit({ code: 3 });
    const said = await drive.until(ended);
    expect(only(said, "tool.completed")).toMatchObject([
      { output: { text: "one\ntwo\nthree\noh no", bytes: 19, kept: 19 }, exitCode: 3 },
    ]);
    expect(only(said, "message.completed")).toMatchObject([{ text: "Ran build, which ended with 3." }]);
    expect(said.at(-1)).toMatchObject({ outcome: "done" });
  });

  test("keeps the beginning of a long output", async () => {
    const { drive, child } = await openWithChild();
    child.print("x".repeat(defaultLimits.inlineBytes), "more");
    child.exit();
    const [completed] = only(await drive.turn("run yes"), "tool.completed");
    expect(completed?.output).toMatchObject({ bytes: defaultLimits.inlineBytes + 6, kept: defaultLimits.inlineBytes });
  });

  test("says when lines were too long to be read", async () => {
    const { drive, child } = await openWithChild();
    child.printOverlong(2);
    child.exit();
    expect(only(await drive.turn("run yes"), "notice")).toMatchObject([{ code: "truncated", count: 2 }]);
  });

  test("fails when something else kills the program", async () => {
    const { drive, child } = await openWithChild();
    child.exit({ signal: "SIGKILL" });
    expect(only(await drive.turn("run sleep"), "tool.failed")).toMatchObject([
      { reason: "error", error: { message: "It was ended by SIGKILL." } },
    ]);
  });

  test("fails for a program that does not exist", async () => {
    const { drive } = await openDemo({
      mode: "full",
      launch: () => Promise.reject(new ReinsError("not_installed", "There is no program nope.")),
    });
    const said = await drive.turn("run nope; say on");
    expect(only(said, "tool.failed")).toMatchObject([
      { reason: "error", error: { code: "not_installed", message: "There is no program nope." } },
    ]);
    expect(said.at(-1)).toMatchObject({ outcome: "done" });
  });

  test.each(["cancel", "close"] as const)("is stopped by %s before it ends", async (how) => {
    const { drive, child, session } = await openWithChild();
    await session.prompt({ text: "run sleep 1000" });
    child.print("started");
    await drive.until((event) => event.type === "tool.progress");
    await session[how]();
    expect(child.stopped).toBeGreaterThan(0);
    const said = await drive.until(ended);
    expect(only(said, "tool.failed")).toMatchObject([{ reason: "cancelled" }]);
    expect(said.at(-1)).toMatchObject({ outcome: "cancelled" });
  });

  test("pauses when nobody reads", async () => {
    const { child, session } = await openWithChild();
    for (let count = 0; count < 1000; count++) child.print("x".repeat(10_000));
    await session.prompt({ text: "run yes" });
    const first = session.events[Symbol.asyncIterator]();
    // The hold is answered once it is read; after that nobody reads any more.
    for (let held = false; !held;) {
      const { value } = await first.next();
      for (const event of value ?? []) {
        if (event.type !== "tool.held") continue;
        session.answer(event.requestId, { decision: "allow" });
        held = true;
      }
    }
    for (let chance = 0; chance < 50; chance++) await new Promise((resolve) => setImmediate(resolve));
    expect(child.taken).toBeGreaterThan(0);
    expect(child.taken).toBeLessThan(300);
    await session.cancel();
  });
});
