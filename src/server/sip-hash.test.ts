import { expect, test } from "vitest";
import { sipHash } from "./sip-hash.ts";

const counted = (length: number): Uint8Array => Uint8Array.from({ length }, (_, at) => at);

// From the paper and from the reference implementation's test vectors, each as a number.
test.each([
  [0, "726fdb47dd0e0e31"],
  [1, "74f839c593dc67fd"],
  [7, "ab0200f58b01d137"],
  [8, "93f5f5799a932462"],
  [15, "a129ca6149be45e5"],
  [63, "958a324ceb064572"],
])("hashes %i bytes like the reference", (length, hash) => {
  expect(sipHash(counted(16), counted(length))).toBe(hash);
});

test("hashes a view of a larger buffer like a separate buffer", () => {
  const inside = Buffer.concat([Buffer.alloc(3, 9), counted(15), Buffer.alloc(3, 9)]).subarray(3, 18);
  expect(sipHash(counted(16), inside)).toBe("a129ca6149be45e5");
});
