import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { allProofs } from "../../src/testing/proofs.ts";
import { channelsOf } from "../contract/channels.ts";
import { root } from "./source.ts";

/** The test of an agent's contract on each channel: with its real program, or in the normal suite for a built-in agent. */
const places = (id: string): string[][] => [
  channelsOf(id).map(({ name }) => `test/real/${id}/${["contract", name].filter(Boolean).join("-")}.test.ts`),
  [`test/contract/${id}.test.ts`],
];

test("every provable agent has contract tests", async () => {
  const proofs = await allProofs();
  const missing = proofs.filter(
    ({ id }) => !places(id).some((files) => files.every((file) => existsSync(join(root, file)))),
  );
  expect(missing.map(({ id }) => id)).toEqual([]);
});
