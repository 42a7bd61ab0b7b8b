/** Comparisons of a server, through the client. */
import { expect, onTestFinished, test, vi } from "vitest";
import { apiServer } from "../../test/support/api-server.ts";
import { repository } from "../../test/support/repository.ts";
import { createClient } from "./index.ts";

test("follows, answers, keeps and removes a comparison of a server", async () => {
  const server = await apiServer();
  repository(server.cwd);
  const reins = createClient({ url: server.url, token: server.tokens.own, cwd: server.cwd });
  onTestFinished(() => reins.close());
  const { comparisons } = reins;
  const wanted = {
    cwd: server.cwd,
    prompt: "edit a.txt one -> two",
    mode: "ask" as const,
    entries: [{ agent: "demo" }],
  };
  const { id } = await comparisons.create(wanted);
  expect((await comparisons.list()).map((one) => one.id)).toEqual([id]);
  const session = await comparisons.session(id, 1);
  for await (const event of session.events({ after: 0 })) {
    if (event.type === "permission.requested") session.answer(event.requestId, "allow");
    if (event.type === "turn.completed") break;
  }
  await vi.waitFor(async () => {
    const { entries } = await comparisons.get(id);
    expect(entries[0]).toMatchObject({ state: "done", files: [{ path: "a.txt" }] });
  }, 60_000);
  expect(await comparisons.keep(id, 1, "apply")).toMatchObject({ how: "apply", files: [{ path: "a.txt" }] });
  await expect(comparisons.session(id, 2)).rejects.toMatchObject({ code: "invalid_input" });
  expect(await comparisons.remove(id)).toEqual([]);
  expect(await comparisons.list()).toEqual([]);
});
