import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../../test/support/processes.ts";
import type { Agent } from "../../agents/contract.ts";
import { ModelLists } from "./model-lists.ts";

function lister(id = "one") {
  const seen = { times: 0 };
  const models = async () => [{ id: `model-${++seen.times}` }];
  return { seen, agent: { id, manage: { models } } as unknown as Agent };
}

test("asks for a list once an hour, also across processes", async () => {
  using folder = temporaryFolder();
  const env = { REINS_HOME: folder.path };
  let now = 1_000_000;
  const { agent } = lister("acp:some thing");
  const lists = new ModelLists(env, () => now);
  expect(await lists.remembered(agent.id)).toBeUndefined();
  expect(await lists.of(agent)).toEqual([{ id: "model-1" }]);
  expect(await new ModelLists(env, () => now).of(agent)).toEqual([{ id: "model-1" }]);
  now += 3_600_001;
  expect(await lists.of(agent)).toEqual([{ id: "model-2" }]);
  expect(await lists.of(agent, true)).toEqual([{ id: "model-3" }]);
  await lists.forget(agent.id);
  expect(await lists.remembered(agent.id)).toBeUndefined();
  expect(readdirSync(join(folder.path, "models"))).toEqual([]);
});

test("does not cache an answer to a request from before a clear", async () => {
  using folder = temporaryFolder();
  const lists = new ModelLists({ REINS_HOME: folder.path });
  const [asks, answer] = [Promise.withResolvers<void>(), Promise.withResolvers<{ id: string }[]>()];
  const models = () => {
    asks.resolve();
    return answer.promise;
  };
  const asked = lists.of({ id: "one", manage: { models } } as unknown as Agent);
  await asks.promise;
  await lists.forget("one");
  answer.resolve([{ id: "old" }]);
  expect(await asked).toEqual([{ id: "old" }]);
  expect(await lists.remembered("one")).toBeUndefined();
});

test.each(["{", "[]", '{"at":1,"models":[{"id":7}]}', '{"at":99999999999999,"models":[]}'])(
  "ignores a file like %s",
  async (text) => {
    using folder = temporaryFolder();
    mkdirSync(join(folder.path, "models"));
    writeFileSync(join(folder.path, "models", "one.json"), text);
    expect(await new ModelLists({ REINS_HOME: folder.path }).remembered("one")).toBeUndefined();
  },
);

test("asks every time when the folder cannot be written", async () => {
  using folder = temporaryFolder();
  writeFileSync(join(folder.path, "file"), "");
  const lists = new ModelLists({ REINS_HOME: join(folder.path, "file") });
  const { agent } = lister();
  expect(await lists.of(agent)).toEqual([{ id: "model-1" }]);
});
