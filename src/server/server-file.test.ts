import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { announce, findServer } from "./server-file.ts";

function home(): { env: { REINS_HOME: string }; path: string } {
  const folder = mkdtempSync(join(tmpdir(), "reins-home-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return { env: { REINS_HOME: folder }, path: join(folder, "server.json") };
}

const server = { url: "http://127.0.0.1:1", token: "t", version: "1" };

test("finds a running server by its private file", async () => {
  const { env, path } = home();
  expect(await findServer(env)).toBeUndefined();
  const forget = await announce(env, server);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(await findServer(env)).toMatchObject({ ...server, pid: process.pid });
  forget();
  expect(existsSync(path)).toBe(false);
});

test("ignores the file of a killed server and an invalid file", async () => {
  const { env, path } = home();
  for (const left of [
    { ...server, pid: process.pid, start: "long ago" },
    { ...server, pid: 2 ** 22 + 1, start: "1" },
    {},
    null,
  ]) {
    writeFileSync(path, JSON.stringify(left));
    expect(await findServer(env)).toBeUndefined();
  }
  writeFileSync(path, "{");
  expect(await findServer(env)).toBeUndefined();
});
