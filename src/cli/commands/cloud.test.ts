/** The cloud commands against a mock service. test/real tests them across processes. */
import { once } from "node:events";
import { expect, test, vi } from "vitest";
import { Place } from "../../../test/support/command.ts";
import { cloud, cloudService } from "../../../test/support/cloud.ts";
import { git, repository } from "../../../test/support/repository.ts";
import { scenarioPrompt } from "../../testing/index.ts";

const address = "https://example.com/team/project";
const prompt = `& ${scenarioPrompt("text")}`;
const hello = "Hello from the scripted model.";

async function clone(place: Place) {
  repository(place.cwd);
  git(place.cwd, "remote", "add", "origin", "git@example.com:team/project.git");
  return cloudService(place.cwd);
}

test("reports a wrong key in one sentence, without the key", async () => {
  using place = new Place();
  const { api } = await cloud();
  const env = { CURSOR_API_KEY: "wrong-made-up-key", REINS_CURSOR_CLOUD_URL: api.url };
  const { code, stdout, stderr } = await place.run(["cloud", "list"], { env });
  expect([code, stdout]).toEqual([3, ""]);
  expect(stderr).toContain("Invalid API key");
  expect(stderr).not.toContain(env.CURSOR_API_KEY);
});

test("refuses a local agent for the cloud", async () => {
  using place = new Place();
  const stderr = expect.stringContaining("is not a cloud agent") as string;
  expect(await place.run(["cloud", "stop", "x", "-a", "demo"])).toMatchObject({ code: 2, stderr });
  expect(await place.run(["run", "-a", "demo", prompt])).toMatchObject({ code: 2, stderr });
});

test("`&` starts a cloud agent on the current repository and branch, or on the chosen target", async () => {
  using place = new Place();
  const { api, env } = await clone(place);
  expect(await place.run(["run", prompt], { env })).toMatchObject({ code: 0, stdout: `${hello}\n` });
  expect(api.agents[0]?.asked).toMatchObject({ repos: [{ url: address, startingRef: "main" }] });
  const chosen = await place.run(["cloud", "target", "--ref", "v2", "--pr"], { env });
  expect(chosen).toMatchObject({ code: 0, stdout: expect.stringContaining("from v2, pull request") as string });
  for (const words of [
    ["run", prompt],
    ["cloud", "run", prompt.slice(2)],
  ]) {
    expect((await place.run(words, { env })).code).toBe(0);
    expect(api.agents[0]?.asked).toMatchObject({ repos: [{ url: address, startingRef: "v2" }], autoCreatePR: true });
  }
  const other = ["cloud", "run", "--repo", "https://example.com/team/other", prompt.slice(2)];
  expect((await place.run(other, { env })).code).toBe(0);
  expect(api.agents[0]?.asked).toMatchObject({ repos: [{ url: "https://example.com/team/other" }] });
  expect(api.agents[0]?.asked).not.toHaveProperty("autoCreatePR");
  await place.run(["cloud", "target", "--forget"], { env });
  const json = await place.run(["cloud", "target", "--json"], { env });
  expect(JSON.parse(json.stdout)).toMatchObject({ suggested: { repository: address, ref: "main" } });
  expect(JSON.parse(json.stdout)).not.toHaveProperty("remembered");
});

test(String.raw`\& is a plain ampersand, and so is & in a resumed session`, async () => {
  using place = new Place();
  const plain = await place.run(["run", "-a", "demo", "--json", String.raw`\& say it`]);
  expect(plain.stdout).toContain('"text":"& say it"');
  const resumed = await place.run(["resume", "last", "--json", "& say it"]);
  expect(resumed.stdout).toContain('"text":"& say it"');
});

test("says what to do without a remote, without a key and with unsupported options", async () => {
  using place = new Place();
  const { api, env } = await cloudService(place.cwd);
  const nowhere = await place.run(["run", prompt], { env });
  expect([nowhere.code, nowhere.stderr.match(/cloud target --repo <address>/g)]).toEqual([2, expect.any(Array)]);
  expect(nowhere.stderr).toContain("No repository is chosen");
  const option = await place.run(["run", "--max-turns", "3", prompt], { env });
  expect([option.code, option.stderr]).toEqual([2, expect.stringContaining("does not take --max-turns")]);
  await place.run(["cloud", "target", "--repo", address], { env });
  const signedOut = await place.run(["run", prompt]);
  expect([signedOut.code, signedOut.stderr]).toEqual([3, expect.stringContaining("set CURSOR_API_KEY")]);
  const wrong = await place.run(["cloud", "target", "--repo", "not an address"], { env });
  expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining("is not the address of a repository")]);
  expect(api.agents).toHaveLength(0);
});

test("asks once for the target at a terminal", async () => {
  using place = new Place();
  const { api, env } = await clone(place);
  const { child, screen } = place.startAtTerminal(["run", prompt], env);
  const answers = [
    ["Repository [https://example.com/team/project]:", ""],
    ["start from [main]:", "v3"],
    ["push to (empty: the service chooses one):", ""],
    ["y/n [n]:", "y"],
  ] as const;
  for (const [question, answer] of answers) {
    await vi.waitFor(() => expect(screen.text).toContain(question), { timeout: 60_000 });
    child.stdin.write(`${answer}\r`);
  }
  await once(child, "close");
  expect(screen.text).toContain(hello);
  expect(api.agents[0]?.asked).toMatchObject({ repos: [{ url: address, startingRef: "v3" }], autoCreatePR: true });
  const again = place.startAtTerminal(["run", prompt], env);
  await once(again.child, "close");
  expect(again.screen.text).not.toContain("start from [");
  expect(api.agents).toHaveLength(2);
});

test("lists badges, deletes an agent only after a yes, and lists repositories", async () => {
  using place = new Place();
  const { api, env } = await clone(place);
  await place.run(["run", prompt], { env });
  const { id } = api.agents[0]!;
  expect((await place.run(["cloud", "list"], { env })).stdout).toMatch(new RegExp(`${id} +finished`));
  const refused = await place.run(["cloud", "delete", id], { env });
  expect([refused.code, refused.stderr, api.agents.length]).toEqual([4, expect.stringContaining("--yes"), 1]);
  expect(await place.run(["cloud", "delete", "--yes", id], { env })).toMatchObject({ code: 0 });
  expect(api.agents).toHaveLength(0);
  expect((await place.run(["cloud", "delete", "--yes", id], { env })).code).not.toBe(0);
  expect((await place.run(["cloud", "repos"], { env })).stdout).toBe("https://github.com/example/one\n");
});
