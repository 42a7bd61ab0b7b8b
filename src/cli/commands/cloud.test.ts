/** What the commands about agents in the cloud say when nothing comes of them; across processes they are tested in test/real. */
import { expect, test } from "vitest";
import { Place } from "../../../test/support/command.ts";
import { cloud } from "../../../test/support/cloud.ts";

test("a key that is wrong is said in one sentence, and is in none", async () => {
  using place = new Place();
  const { api } = await cloud();
  const env = { CURSOR_API_KEY: "wrong-made-up-key", REINS_CURSOR_CLOUD_URL: api.url };
  const { code, stdout, stderr } = await place.run(["cloud", "list"], { env });
  expect([code, stdout]).toEqual([3, ""]);
  expect(stderr).toContain("Invalid API key");
  expect(stderr).not.toContain(env.CURSOR_API_KEY);
});

test("an agent that works here does not work in the cloud", async () => {
  using place = new Place();
  expect(await place.run(["cloud", "stop", "x", "-a", "demo"])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("does not work in the cloud") as string,
  });
});
