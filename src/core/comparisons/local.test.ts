/** Comparisons of a Reins in this process. */
import { expect, onTestFinished, test, vi } from "vitest";
import { testFolder } from "../../../test/support/core.ts";
import { repository, stateOf } from "../../../test/support/repository.ts";
import { testStore } from "../../../test/support/store.ts";
import { createReins } from "../reins.ts";
import type { Reins } from "../api.ts";

function opened(): { readonly reins: Reins; readonly cwd: string } {
  const home = testFolder();
  const cwd = testFolder();
  repository(cwd);
  const env = { PATH: process.env["PATH"], HOME: home, REINS_HOME: home };
  const reins = createReins({ env, guardian: false, store: testStore().store });
  onTestFinished(() => reins.close());
  return { reins, cwd };
}

const twice = [{ agent: "demo" }, { agent: "demo" }];

test("runs a prompt in separate worktrees, and can be answered, kept and removed", async () => {
  const { reins, cwd } = opened();
  const before = stateOf(cwd);
  const { comparisons } = reins;
  const made = await comparisons.create({ cwd, prompt: "edit a.txt one -> two", mode: "ask", entries: twice });
  expect(made.entries.map(({ state }) => state)).not.toContain("gone");
  await vi.waitFor(async () => {
    const { entries } = await comparisons.get(made.id);
    expect(entries.map(({ state }) => state)).toEqual(["waiting", "waiting"]);
  }, 60_000);
  await expect(comparisons.keep(made.id, 1, "apply")).rejects.toMatchObject({ code: "session_busy" });
  const session = await comparisons.session(made.id, 1);
  for await (const event of session.events()) {
    if (event.type === "permission.requested") session.answer(event.requestId, "allow");
    if (event.type === "turn.completed") break;
  }
  // Changes are cached for a second.
  const entries = await vi.waitFor(async () => {
    const found = (await comparisons.get(made.id)).entries;
    expect(found[0]).toMatchObject({ state: "done", files: [{ path: "a.txt", added: 1, removed: 1 }] });
    return found;
  }, 60_000);
  expect(entries[1]).toMatchObject({ state: "waiting", files: [] });
  expect(await comparisons.keep(made.id, 1, "branch")).toMatchObject({ branch: entries[0]!.branch });
  expect((await comparisons.list()).map(({ id }) => id)).toEqual([made.id]);
  expect(await comparisons.remove(made.id)).toEqual([entries[0]!.branch]);
  expect(await comparisons.list()).toEqual([]);
  expect(stateOf(cwd)).not.toBe(before);
});

test("refuses unknown comparisons in words", async () => {
  const { reins, cwd } = opened();
  const refused = { code: "invalid_input" };
  await expect(reins.comparisons.get("0123456789")).rejects.toMatchObject(refused);
  await expect(reins.comparisons.session("0123456789", 1)).rejects.toMatchObject(refused);
  const wanted = { cwd, prompt: "say hi", entries: [{ agent: "demo", model: "none" }] };
  await expect(reins.comparisons.create(wanted)).rejects.toMatchObject({ code: "model_unknown" });
  expect(await reins.comparisons.list()).toEqual([]);
  await reins.close();
  await expect(reins.comparisons.list()).rejects.toMatchObject(refused);
});
