/** A toy agent defined by one entry of the configuration. */
import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { createReins, type Reins } from "../../src/index.ts";
import { everything, toyPath, turn } from "../support/toy.ts";

interface Place {
  readonly reins: Reins;
  readonly cwd: string;
}

async function place(person: unknown, project?: unknown): Promise<Place> {
  const root = await realpath(await mkdtemp(join(tmpdir(), "reins-configured-")));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  const [home, cwd] = [join(root, "home"), join(root, "work")];
  await mkdir(join(cwd, ".reins"), { recursive: true });
  await mkdir(home);
  await writeFile(join(home, "config.json"), JSON.stringify(person));
  if (project !== undefined) await writeFile(join(cwd, ".reins", "config.json"), JSON.stringify(project));
  const env = { PATH: process.env["PATH"], HOME: root, REINS_HOME: home, TOY_SECRET_KEY: "toy-secret-value" };
  const reins = createReins({ guardian: false, env });
  onTestFinished(() => reins.close());
  return { reins, cwd };
}

const toy = { acp: [process.execPath, toyPath], name: "Toy" };

test("lists a configured agent, runs it by id and resumes it from its state", async () => {
  const { reins, cwd } = await place({ agents: { toy } });
  const listed = (await reins.agents()).find(({ id }) => id === "toy");
  expect(listed).toMatchObject({ name: "Toy", ready: true, experimental: true });
  const first = await reins.session({ agent: "toy", cwd });
  const ended = (await turn(first, "say hello; read x")).at(-1);
  expect(ended).toMatchObject({ type: "turn.completed", outcome: "done", agent: "toy" });
  const state = ended?.type === "turn.completed" ? (ended.state ?? "") : "";
  expect(state).toMatch(/^toy:1:/);
  await everything(first);
  const second = await reins.session({ cwd, resume: state });
  expect(second.agent).toBe("toy");
  await everything(second);
});

test("accepts a command line with arguments, a model and a place as default agent", async () => {
  const line = `'${process.execPath}' "${toyPath}"`;
  const mine = { acp: line, args: ["--legacy"], model: "toys/large", env: { TOY_VERSION: "7.8.9" } };
  const { reins, cwd } = await place({ agent: "mine", agents: { mine } }, { agents: { mine: { model: "small" } } });
  const session = await reins.session({ cwd });
  expect(session.agent).toBe("mine");
  expect((await turn(session, "where")).at(-1)).toMatchObject({ text: `careful small in ${cwd}` });
  expect((await everything(session)).find(({ type }) => type === "session.started")).toMatchObject({
    agentVersion: "7.8.9",
  });
  const other = await reins.session({ cwd, model: "large" });
  expect((await turn(other, "where")).at(-1)).toMatchObject({ text: `careful toys/large in ${cwd}` });
  await everything(other);
});

test("refuses a command line with shell syntax and still lists the other agents", async () => {
  const { reins, cwd } = await place({ agents: { bad: { acp: "toy | tee x" }, toy } });
  const message = "This command line contains |, which only a shell understands, and Reins uses no shell.";
  await expect(reins.session({ agent: "bad", cwd })).rejects.toMatchObject({ code: "invalid_input", message });
  const listed = await reins.agents();
  expect(listed.find(({ id }) => id === "bad")).toMatchObject({ ready: false, help: expect.stringContaining("|") });
  expect(listed.find(({ id }) => id === "toy")).toMatchObject({ ready: true });
});

test("ignores an agent that the project configures, and says so", async () => {
  const { reins, cwd } = await place(
    { agents: { toy } },
    { agents: { evil: { acp: "./evil.sh" }, toy: { model: "small" } } },
  );
  await expect(reins.session({ agent: "evil", cwd })).rejects.toThrow("There is no agent evil.");
  const session = await reins.session({ agent: "toy", cwd });
  const events = await turn(session, "say hi");
  expect(events.find(({ type }) => type === "notice")).toMatchObject({
    code: "divergence",
    message: "The project sets commands, arguments or variables of agents; only you can do that.",
  });
  await everything(session);
});

test("redacts a secret that is set in an agent's environment", async () => {
  const { reins, cwd } = await place({ agents: { toy: { ...toy, env: { MY_API_KEY: "very-secret-word" } } } });
  const session = await reins.session({ agent: "toy", cwd });
  expect((await turn(session, "say it is very-secret-word here")).at(-1)).toMatchObject({
    text: expect.not.stringContaining("very-secret-word"),
  });
  await everything(session);
});

test.each([
  [{ demo: { acp: "toy" } }, "There is an agent demo already."],
  [{ nobody: { model: "x" } }, "The configuration names an unknown agent nobody."],
])("refuses the configuration %o when a session is opened", async (agents, message) => {
  const { reins, cwd } = await place({ agents });
  await expect(reins.session({ agent: "demo", cwd })).rejects.toMatchObject({ code: "invalid_input", message });
  expect(await reins.agents()).not.toEqual([]);
});

test("runs a known agent with another program", async () => {
  const nowhere = await place({ agents: { claude: { command: "/nowhere/claude" } } });
  expect(await nowhere.reins.agent("claude")).toMatchObject({ ready: false, installed: false });
  const { reins } = await place({ agents: { claude: { command: [process.execPath, "/x.js"] } } });
  const { command, args } = await (await reins.manage("claude")).logout();
  expect([command, args[0]]).toEqual([process.execPath, "/x.js"]);
});
