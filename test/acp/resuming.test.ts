/** A conversation with the toy agent continues in another process. */
import { mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { createReins } from "../../src/index.ts";
import { acpEntry, everything, toyPath, turn, withToy } from "../support/toy.ts";

test.each([
  ["session/resume", []],
  ["session/load, which replays the conversation", ["--no-resume"]],
])("resumes by %s", async (_how, flags) => {
  const { session } = await withToy(flags);
  const first = await session();
  expect(first.state).toBeUndefined();
  const ended = (await turn(first, "say a; read x")).at(-1);
  await everything(first);
  const state = ended?.type === "turn.completed" ? ended.state : undefined;
  expect(state).toMatch(/^toy:1:[\w-]+$/);
  const second = await session({ agent: undefined, resume: state });
  expect(second.state).toBe(state);
  const events = await turn(second, "recall");
  expect(events.at(-1)).toMatchObject({ text: "2 prompts", state });
  const all = await everything(second);
  expect(all.filter(({ type }) => type === "message.completed")).toHaveLength(1);
  expect(all.filter(({ type }) => type === "tool.started" || type === "notice")).toEqual([]);
  expect(all.find(({ type }) => type === "session.started")).toMatchObject({ resumed: true, state });
});

test("fails with session_not_found for an unknown session", async () => {
  for (const flags of [[], ["--no-resume"]]) {
    const { session } = await withToy(flags);
    const gone = session({ resume: `toy:1:${Buffer.from("gone").toString("base64url")}` });
    await expect(gone).rejects.toMatchObject({ code: "session_not_found", help: "Start a new session." });
  }
});

test("refuses to resume an agent that cannot resume, whose turns have no state", async () => {
  const { session } = await withToy(["--no-resume", "--no-load"]);
  const toy = await session();
  expect((await turn(toy, "say a; read x")).at(-1)).toMatchObject({ outcome: "done" });
  expect(toy.state).toBeUndefined();
  await everything(toy, { resumes: () => false });
  await expect(session({ resume: `toy:1:${Buffer.from("x").toString("base64url")}` })).rejects.toMatchObject({
    code: "unsupported",
  });
});

test.each(["toy:2:eA", "toy:1:", "toy:1:!!", "toy:1:eA=="])(
  "rejects %s as a state of another version",
  async (resume) => {
    const { session } = await withToy();
    await expect(session({ resume })).rejects.toMatchObject({ code: "session_not_found" });
  },
);

test("continues with the new version when the agent updates itself during a session, and says so", async () => {
  const cwd = await realpath(await mkdtemp(join(tmpdir(), "reins-toy-")));
  onTestFinished(() => rm(cwd, { recursive: true, force: true }));
  const program = join(cwd, "toy");
  const install = (version: string) =>
    writeFile(
      program,
      `#!/bin/sh\nexport TOY_VERSION=${version} TOY_HOME=${cwd}\nexec ${process.execPath} ${toyPath} "$@"\n`,
      {
        mode: 0o755,
      },
    );
  await install("1.0.0");
  const reins = createReins({
    guardian: false,
    env: { ...process.env, REINS_HOME: cwd },
    agents: [acpEntry({ id: "toy", command: program })],
  });
  onTestFinished(() => reins.close());
  const session = await reins.session({ agent: "toy", cwd });
  await turn(session, "say a");
  await install("2.0.0");
  // The running process is still the old version and is used until it exits.
  expect((await turn(session, "recall")).at(-1)).toMatchObject({ outcome: "done", text: "2 prompts" });
  expect((await turn(session, "die")).at(-1)).toMatchObject({ outcome: "failed", error: { code: "agent_crashed" } });
  expect((await turn(session, "recall")).at(-1)).toMatchObject({ outcome: "done", text: "4 prompts" });
  const versions = (await everything(session)).flatMap((event) =>
    event.type === "session.started" ? [event.agentVersion] : [],
  );
  expect(versions).toEqual(["1.0.0", "2.0.0"]);
});
