/** Any agent given by its command line: selected by its id and by its state. */
import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { AgentEntry } from "../../src/agents/contract.ts";
import { createReins } from "../../src/index.ts";
import { everything, toyPath, turn } from "../support/toy.ts";

const acp: AgentEntry = {
  id: "acp",
  name: "Any ACP agent",
  family: true,
  experimental: true,
  load: () => import("../../src/agents/acp/index.ts"),
};

async function start() {
  const cwd = await realpath(await mkdtemp(join(tmpdir(), "reins-family-")));
  onTestFinished(() => rm(cwd, { recursive: true, force: true }));
  const given = {
    PATH: process.env["PATH"],
    HOME: cwd,
    REINS_HOME: join(cwd, ".reins-home"),
    REINS_ACP_ENV: "TOY_HOME",
    TOY_HOME: join(cwd, ".toy"),
  };
  const reins = createReins({ guardian: false, agents: [acp], env: given });
  onTestFinished(() => reins.close());
  return { reins, cwd, id: `acp:'${process.execPath}' "${toyPath}"` };
}

test("runs an agent by its command line and resumes it from its state", async () => {
  const { reins, cwd, id } = await start();
  expect(await reins.agent(id)).toMatchObject({ id, name: "toy-acp-agent.ts", ready: true, experimental: true });
  const first = await reins.session({ agent: id, cwd });
  const ended = (await turn(first, "say a: b; read x")).at(-1);
  expect(ended).toMatchObject({ outcome: "done", agent: id });
  const state = ended?.type === "turn.completed" ? ended.state : undefined;
  expect(state?.startsWith(`${id}:1:`)).toBe(true);
  await everything(first);
  const second = await reins.session({ cwd, resume: state });
  expect(second.agent).toBe(id);
  expect((await turn(second, "recall")).at(-1)).toMatchObject({ text: "2 prompts" });
  await everything(second);
  await expect(reins.session({ agent: "acp:other", cwd, resume: state })).rejects.toMatchObject({
    code: "session_not_found",
  });
});

test("refuses a command line with shell syntax", async () => {
  const { reins, cwd } = await start();
  await expect(reins.session({ agent: "acp:toy; rm -rf /", cwd })).rejects.toMatchObject({
    code: "invalid_input",
    message: "This command line contains ;, which only a shell understands, and Reins uses no shell.",
  });
  await expect(reins.session({ agent: "acp", cwd })).rejects.toMatchObject({ code: "invalid_input" });
  await expect(reins.session({ agent: "acpx:toy", cwd })).rejects.toMatchObject({ code: "invalid_input" });
});
