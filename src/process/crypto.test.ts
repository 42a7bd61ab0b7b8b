import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { randomHex, randomId, sha256 } from "./crypto.ts";

test("creates unique names in the documented formats", () => {
  const ids = Array.from({ length: 1_000 }, randomId);
  for (const id of ids) expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(new Set(ids).size).toBe(ids.length);
  expect(randomHex(10)).toMatch(/^[0-9a-f]{20}$/);
  expect(randomHex(10)).not.toBe(randomHex(10));
});

test("hashes like node:crypto", () => {
  expect(sha256("a ü")).toBe(createHash("sha256").update("a ü").digest("hex"));
});
