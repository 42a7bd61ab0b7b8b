/**
 * `reins cloud` across processes, against the stand-in service: a cloud agent continues when left, can be found again, and no event comes
 * twice.
 */
import { once } from "node:events";
import { afterEach, beforeEach, expect, test } from "vitest";
import { scenarioPrompt } from "../../../src/testing/index.ts";
import { cloud, type Cloud } from "../../support/cloud.ts";
import { Place, waitFor } from "../../support/command.ts";

let place: Place;
let there: Cloud;
beforeEach(async () => {
  place = new Place();
  there = await cloud();
});
afterEach(() => place[Symbol.dispose]());

function options() {
  const variables = Object.entries(there.env).filter(([name]) => /^CURSOR_|^REINS_CURSOR_/.test(name));
  return { env: Object.fromEntries(variables) as Record<string, string> };
}
const start = (...args: string[]) => place.start(args, options());
const reins = (...args: string[]) => place.run(args, options());
const prompt = scenarioPrompt("slow-text", "brief");

/** The agent's text turn by turn, and how each turn ended. */
async function turns(): Promise<string[][]> {
  const lines = (await reins("log", "last", "--json")).stdout.trim().split("\n");
  const events = lines.map((line) => JSON.parse(line) as { type: string; text?: string; outcome?: string });
  const said: string[][] = [];
  let text = "";
  for (const event of events) {
    if (event.type === "message.delta") text += event.text;
    if (event.type !== "turn.completed") continue;
    said.push([event.outcome!, text]);
    text = "";
  }
  return said;
}

async function ended(child: ReturnType<typeof start>["child"]): Promise<number | null> {
  const [code] = (await once(child, "close")) as [number | null];
  return code;
}

test("starts a cloud agent, leaves it, finds it again and follows it to its end in its own log", async () => {
  const begun = await reins("cloud", "run", "--detach", prompt);
  const [agent] = there.api.agents;
  const id = agent!.id;
  expect(begun).toMatchObject({ code: 0, stderr: expect.stringContaining(`cloud follow ${id}`) as string });
  expect(agent!.runs[0]!.status).toBe("RUNNING");
  // The cloud agent is already a session here, however much of it was recorded.
  expect((await reins("import", "cursor-cloud", "--all", "--json")).stdout).toMatch(/"outcome":"known"/);
  there.model.release("slow");
  const { code, stdout } = await reins("cloud", "follow", id);
  expect([code, stdout]).toEqual([0, `${agent!.runs[0]!.result}\n`]);
  expect((await turns()).map(([outcome]) => outcome)).toEqual(["interrupted", "done"]);
  expect((await reins("cloud", "logs", id)).stdout).toContain(agent!.runs[0]!.result);
});

test("leaves on Ctrl-C every time and says how to follow again", async () => {
  const run = start("cloud", "run", prompt);
  await waitFor(run.child.stdout, /first/);
  run.child.kill("SIGINT");
  expect(await ended(run.child)).toBe(130);
  const [agent] = there.api.agents;
  const follows = `cloud follow ${agent!.id}`;
  expect(run.printed.stderr).toContain(follows);
  const looks = start("cloud", "follow", agent!.id);
  await waitFor(looks.child.stderr, /mode full/);
  // A second follower would write the same events into the log.
  expect(await reins("cloud", "follow", agent!.id)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("in use") as string,
  });
  looks.child.kill("SIGINT");
  expect([await ended(looks.child), looks.printed.stderr.includes(follows)]).toEqual([130, true]);
  expect(agent!.runs[0]!.status).toBe("RUNNING");
  there.model.release("slow");
  expect((await reins("cloud", "follow", agent!.id)).code).toBe(0);
  const all = await turns();
  expect(all.at(-1)![0]).toBe("done");
  expect(all.map(([, text]) => text).join("")).toBe(agent!.runs[0]!.result);
});

test("loses no event when killed while following, also when the run ends meanwhile", async () => {
  const { child } = start("cloud", "run", prompt);
  await waitFor(child.stdout, /first/);
  child.kill("SIGKILL");
  await ended(child);
  const [agent] = there.api.agents;
  const [run] = agent!.runs;
  expect(run!.status).toBe("RUNNING");
  there.model.release("slow");
  await run!.done;
  expect(await reins("cloud", "follow", agent!.id)).toMatchObject({ code: 0, stdout: `${run!.result}\n` });
  expect(await reins("cloud", "follow", agent!.id)).toMatchObject({
    code: 0,
    stderr: expect.stringContaining("is not running") as string,
  });
  expect((await turns()).map(([outcome]) => outcome)).toEqual(["interrupted", "done"]);
  const resumed = await reins("resume", "last", "--mode", "full", scenarioPrompt("echo", "still there"));
  expect(resumed).toMatchObject({ code: 0, stdout: "still there\n" });
  expect((await reins("export", "last")).stdout).toContain("still there");
  expect((await reins("sessions")).stdout).toContain("cursor-cloud");
  expect(agent!.runs).toHaveLength(2);
});

test("two independent followers of one agent see the same end", async () => {
  await reins("cloud", "run", "--detach", prompt);
  const [agent] = there.api.agents;
  using other = new Place();
  const elsewhere = other.start(["cloud", "follow", agent!.id], options());
  const here = start("cloud", "follow", agent!.id);
  await Promise.all([waitFor(elsewhere.child.stdout, /first/), waitFor(here.child.stdout, /first/)]);
  there.model.release("slow");
  expect(await Promise.all([ended(elsewhere.child), ended(here.child)])).toEqual([0, 0]);
  expect([elsewhere.printed.stdout, here.printed.stdout].map((text) => text.trim())).toEqual(
    [0, 1].map(() => agent!.runs[0]!.result),
  );
});
