/** The commands about agents in the cloud, against the service that stands in. */
import { afterEach, beforeEach, expect, test } from "vitest";
import { Place } from "../../test/support/command.ts";
import { cloud, type Cloud } from "../../test/support/cloud.ts";
import { scenarioPrompt } from "../testing/index.ts";

let place: Place;
beforeEach(() => {
  place = new Place();
});
afterEach(() => place[Symbol.dispose]());

function running({ env }: Cloud) {
  const variables = Object.entries(env).filter(([name]) => /^CURSOR_|^REINS_CURSOR_/.test(name)) as [string, string][];
  return (...args: string[]) => place.run(["cloud", ...args], { env: Object.fromEntries(variables) });
}

test("one is begun and left, found again, and followed to its end in its own log", async () => {
  const there = await cloud();
  const reins = running(there);
  const begun = await reins("run", "--detach", scenarioPrompt("slow-text", "brief"));
  const [agent] = there.api.agents;
  const id = agent!.id;
  expect(begun).toMatchObject({ code: 0, stderr: expect.stringContaining(`cloud follow ${id}`) as string });
  expect(agent!.runs[0]!.status).toBe("RUNNING");
  there.model.release("slow");
  const { code, stdout } = await reins("follow", id);
  expect([code, stdout]).toEqual([0, `${agent!.runs[0]!.result}\n`]);
  const log = (await place.run(["log", "last", "--json"])).stdout;
  expect(log.match(/"outcome":"\w+"/g)).toEqual(['"outcome":"interrupted"', '"outcome":"done"']);
  expect(log.match(/and the second/g)?.length).toBe(
    (await reins("logs", id, "--json")).stdout.match(/and the second/g)?.length,
  );
});

test("what does not work is said in one sentence", async () => {
  const reins = running(await cloud({ CURSOR_API_KEY: "wrong" }));
  expect(await reins("list")).toMatchObject({ code: 3, stderr: expect.stringContaining("Invalid API key") as string });
  expect(await reins("stop", "x", "-a", "demo")).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("does not work in the cloud") as string,
  });
});
