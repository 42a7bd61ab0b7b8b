import { expect, test } from "vitest";
import { takeTried } from "../../../test/support/loopback-only.ts";
import { probe, settingsOf } from "./program.ts";

const key = { CURSOR_API_KEY: "crsr_x" };

test("sends the key as a bearer token or as a user name without a password", () => {
  expect(settingsOf(key)).toEqual({
    url: "https://api.cursor.com",
    authorization: "Bearer crsr_x",
    only: undefined,
    pollMs: 2_000,
  });
  expect(settingsOf({ ...key, REINS_CURSOR_CLOUD_AUTH: "Basic", REINS_CURSOR_CLOUD_API: "v0" })).toMatchObject({
    authorization: `Basic ${Buffer.from("crsr_x:").toString("base64")}`,
    only: "v0",
  });
});

test.each([
  ["no key", {}, "not_authenticated"],
  ["a key with a line break", { CURSOR_API_KEY: "crsr_x\r\nHost: y" }, "invalid_input"],
  ["another scheme", { ...key, REINS_CURSOR_CLOUD_AUTH: "digest" }, "invalid_input"],
  ["an unknown version", { ...key, REINS_CURSOR_CLOUD_API: "v7" }, "invalid_input"],
  ["no number", { ...key, REINS_CURSOR_CLOUD_POLL_MS: "soon" }, "invalid_input"],
  ["an unencrypted address", { ...key, REINS_CURSOR_CLOUD_URL: "http://example.com" }, "invalid_input"],
  ["a password in the address", { ...key, REINS_CURSOR_CLOUD_URL: "https://a:b@example.com" }, "invalid_input"],
  ["a path that would be dropped", { ...key, REINS_CURSOR_CLOUD_URL: "https://example.com/proxy" }, "invalid_input"],
  ["no address", { ...key, REINS_CURSOR_CLOUD_URL: "example" }, "invalid_input"],
])("rejects %s without showing the key", async (_what, env, code) => {
  expect(() => settingsOf(env)).toThrow(expect.objectContaining({ code }) as Error);
  const found = await probe({ env });
  expect(found).toMatchObject({ ready: false, help: expect.any(String) as string });
  expect(JSON.stringify(found)).not.toContain("crsr_");
});

test("is ready with a key, without a request", async () => {
  expect(await probe({ env: key })).toMatchObject({ ready: true, signedInHow: "API key (CURSOR_API_KEY)" });
});

test("fails a test that would call the real address, even when it handles the error", async () => {
  await expect(fetch(settingsOf(key).url)).rejects.toThrow("may only use this machine");
  expect(takeTried()).toEqual(["https://api.cursor.com"]);
});
