import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { temporaryFolder } from "../../test/support/processes.ts";
import { environmentFingerprint } from "./environment-fingerprint.ts";

test("changes with keys, programs and settings, but not with the terminal or npm", () => {
  using home = temporaryFolder();
  const env = { HOME: home.path, REINS_HOME: join(home.path, "reins"), PATH: "/usr/bin:/bin", SOME_API_KEY: "k" };
  const usual = environmentFingerprint(env, "token");
  expect(
    environmentFingerprint({ ...env, TERM: "xterm", PWD: "/", npm_config_x: "1", SSH_TTY: "/dev/pts/1" }, "token"),
  ).toBe(usual);
  expect(environmentFingerprint({ ...env, EDITOR: "vi", COLOR: "0" }, "token")).toBe(usual);
  expect(environmentFingerprint({ ...env, SSH_AUTH_SOCK: "/tmp/agent.1" }, "token")).not.toBe(usual);
  const umask = vi.spyOn(process, "umask").mockReturnValue(0o7077);
  expect(environmentFingerprint(env, "token")).not.toBe(usual);
  umask.mockRestore();
  expect(environmentFingerprint({ ...env, PATH: `/a/node_modules/.bin:${env.PATH}` }, "token")).toBe(usual);
  expect(environmentFingerprint({ ...env, PATH: `/opt/other:${env.PATH}` }, "token")).not.toBe(usual);
  expect(environmentFingerprint({ ...env, SOME_API_KEY: "other" }, "token")).not.toBe(usual);
  expect(environmentFingerprint({ ...env, REINS_MODE: "full" }, "token")).not.toBe(usual);
  expect(environmentFingerprint(env, "other")).not.toBe(usual);
  mkdirSync(env.REINS_HOME);
  writeFileSync(join(env.REINS_HOME, "config.json"), "{}");
  expect(environmentFingerprint(env, "token")).not.toBe(usual);
  expect(usual).not.toContain("k=");
});
