import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { allProofs } from "../../src/testing/proofs.ts";
import { channelsOf } from "../contract/channels.ts";
import { root } from "./source.ts";

/** With its real program, or, where it is a part of Reins, among the tests that need nothing; over each of its channels. */
const places = (id: string): string[][] => [
  channelsOf(id).map(({ name }) => `test/real/${id}/${["contract", name].filter(Boolean).join("-")}.test.ts`),
  [`test/contract/${id}.test.ts`],
];

test("every agent that can be proven is", async () => {
  const proofs = await allProofs();
  const missing = proofs.filter(
    ({ id }) => !places(id).some((files) => files.every((file) => existsSync(join(root, file)))),
  );
  expect(missing.map(({ id }) => id)).toEqual([]);
});
