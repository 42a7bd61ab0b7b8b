import { expect, test } from "vitest";
import { conversation, keep, testStore } from "../../../test/support/store.ts";
import { keptSession } from "./resume.ts";

test("finds an agent's own id that starts with ses_", async () => {
  const { store } = testStore();
  keep(store, "ses_a", conversation("one", [], "other:1:ses_46f1abcd"));
  expect(await keptSession(store, { resume: "ses_46f1abcd" })).toMatchObject({ id: "ses_a" });
  await expect(keptSession(store, { resume: "ses_46f1" })).rejects.toThrow("There is no session ses_46f1.");
});
