/** A Codex without an app server: one process a prompt. */
import { chmodSync, existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { scenarioPrompt } from "../../../src/testing/index.ts";
import { all, one } from "../support/events.ts";
import { realAgent } from "../support/real-agent.ts";

/** The real program, which no longer knows its app server. */
async function oldCodex() {
  const real = await realAgent("codex");
  const old = join(real.home, "old-codex");
  const refusal = `echo "error: unrecognized subcommand 'app-server'" >&2; exit 2`;
  writeFileSync(
    old,
    `#!/bin/sh\n[ "$1" = app-server ] && { ${refusal}; }\nexec '${real.env["REINS_CODEX_COMMAND"]}' "$@"\n`,
  );
  chmodSync(old, 0o755);
  return { ...real, reins: real.another({ env: { ...real.env, REINS_CODEX_COMMAND: old } }) };
}

test("it works, goes on with the next prompt, and says that it is old", async () => {
  const real = await oldCodex();
  const session = await real.reins.session({ agent: "codex", cwd: real.cwd, mode: "full" });
  const first = session.prompt(scenarioPrompt("write", "x.txt"));
  const events = [];
  for await (const event of first) events.push(event);
  expect(all(events, "notice")).toMatchObject([{ code: "divergence" }]);
  expect(one(events, "thought.completed").text).toBe("I should write the file.");
  expect(one(events, "tool.started")).toMatchObject({ tool: "write", title: "Write x.txt" });
  expect(await first.result).toMatchObject({ outcome: "done", filesChanged: ["x.txt"], usage: { input: 200 } });
  const second = await session.prompt(scenarioPrompt("text")).result;
  expect(second).toMatchObject({ outcome: "done", text: "Hello from the scripted model." });
  expect(JSON.stringify(real.model.requests.at(-1)?.body)).toContain("scenario:write:x.txt");
  const failed = await session.prompt(scenarioPrompt("error-401")).result;
  expect(failed).toMatchObject({ outcome: "failed", error: { code: "not_authenticated" } });
});

test("it can be cancelled, and looks only in mode read", async () => {
  const real = await oldCodex();
  const session = await real.reins.session({ agent: "codex", cwd: real.cwd, mode: "read" });
  const turn = session.prompt(scenarioPrompt("slow-text"));
  await real.model.reached("slow");
  await turn.cancel();
  expect(await turn.result).toMatchObject({ outcome: "cancelled" });
  await session.prompt(scenarioPrompt("shell", "touch x.txt")).result;
  expect(existsSync(join(real.cwd, "x.txt"))).toBe(false);
});

test("a mode in which somebody would be asked is refused", async () => {
  const real = await oldCodex();
  for (const mode of ["ask", "edits", "plan"] as const)
    await expect(real.reins.session({ agent: "codex", cwd: real.cwd, mode })).rejects.toMatchObject({
      code: "unsupported",
    });
});
