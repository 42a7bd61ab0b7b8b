import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { apiServer, type TestServer } from "../../test/support/api-server.ts";
import { git, repository } from "../../test/support/repository.ts";
import { testFolder } from "../../test/support/core.ts";
import { createClient } from "../client/index.ts";

/** A server in a repository with a draft pull request. */
async function prepare(): Promise<TestServer> {
  const bin = join(testFolder(), "bin");
  mkdirSync(bin);
  const draft = JSON.stringify({ number: 7, url: "https://example.com/7", title: "A", state: "OPEN", isDraft: true });
  const script = `#!/bin/sh\n[ "$1 $2" = "pr view" ] && exec echo '${draft}'\necho "called: gh $*"\n`;
  writeFileSync(join(bin, "gh"), script, { mode: 0o755 });
  const server = await apiServer({ rooted: true, variables: { PATH: `${bin}:/usr/bin:/bin` } });
  repository(server.cwd);
  git(server.cwd, "remote", "add", "origin", "https://example.com/team/project.git");
  return server;
}

const path = "/api/repository/action";
const shown = "gh pr ready 7";

test("shows an action, and runs it when a token with `approve` confirms it", async () => {
  const server = await prepare();
  const { cwd } = server;
  const { token } = server.tokens.create({ name: "p", scopes: ["prompt"] });
  const [mine, other] = [
    { body: { cwd }, token },
    { body: { cwd, confirm: true }, token },
  ];
  expect((await server.call(path, mine)).body).toMatchObject({ kind: "commands", skill: "mark-ready", shown });
  expect((await server.call(path, other)).status).toBe(403);
  const ran = await server.call(path, { body: { cwd, confirm: true, shown } });
  expect(ran.body).toMatchObject({ kind: "ran", output: `$ ${shown}\ncalled: ${shown}`, exitCode: 0 });
});

test.each([
  [{ confirm: false }, 400],
  [{ skill: 7 }, 400],
  [{ reviewers: [] }, 400],
  [{ command: "rm" }, 400],
  [{ cwd: "/" }, 403],
  [{ skill: "merge-pr" }, 400],
  [{ skill: "nothing" }, 400],
  [{ confirm: true, shown: "gh pr ready 8" }, 400],
])("answers %o with %i", async (body, status) => {
  const server = await prepare();
  const answer = await server.call(path, { body: { cwd: server.cwd, ...body } });
  expect([answer.status, typeof answer.body.error.message]).toEqual([status, "string"]);
});

test("refuses a token with `read`, and gives a client the same facts as in process", async () => {
  const server = await prepare();
  const { token } = server.tokens.create({ name: "r", scopes: ["read"] });
  expect((await server.call(path, { body: { cwd: server.cwd }, token })).status).toBe(403);
  const all = server.tokens.create({ name: "a", scopes: ["admin"] }).token;
  await using client = createClient({ url: server.url, token: all, cwd: server.cwd });
  expect(await client.repositoryAction()).toEqual(await server.reins.repositoryAction({ cwd: server.cwd }));
  const prompt = await client.repositoryAction({ skill: "create-pr" });
  expect(prompt).toMatchObject({ kind: "prompt", source: { from: "built-in" } });
});
