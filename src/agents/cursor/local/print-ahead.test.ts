import { tmpdir } from "node:os";
import { expect, test } from "vitest";
import { agentContext, StandInProgram } from "../../../../test/support/stand-in-program.ts";
import { openPrint } from "./print-open.ts";

test("the program is started ahead, and is told nothing before all is ready for it", async () => {
  const written: string[] = [];
  class Program extends StandInProgram {
    override write(text: string): Promise<void> {
      written.push(text);
      return Promise.resolve();
    }
  }
  const child = new Program();
  const context = agentContext({ processes: child.processes, env: { REINS_CURSOR_HOOKS: "off" } });
  const options = { sessionId: "s", cwd: tmpdir(), mode: "full" } as const;
  const session = await openPrint(context, options, { path: "agent", args: [] });
  const ready = Promise.withResolvers<void>();
  const taken = session.prompt({ text: "Go." }, ready.promise);
  await expect.poll(() => child.launched.length).toBe(1);
  expect([session.startsAhead, written, child.stdinClosed]).toEqual([true, [], false]);
  ready.resolve();
  await taken;
  expect([written, child.stdinClosed]).toEqual([["Go."], true]);
  child.exit();
  await session.close();
});
