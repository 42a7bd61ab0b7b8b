/** Runs before every file of real tests: fails when an agent could reach a network, unless a person asked for a live run. */
import { networkInterfaces } from "node:os";
import { basename, dirname } from "node:path";
import { expect } from "vitest";
import { isSpoken } from "./spoken-place.ts";

const reachable = Object.keys(networkInterfaces()).filter((name) => name !== "lo");
const file = expect.getState().testPath ?? "";
const isAskedFor = /^contract\b/.test(basename(file)) && isSpoken(basename(dirname(file)));
if (reachable.length > 0 && !isAskedFor) {
  throw new Error(
    `Real agents are only tested without a network, and this machine has one (${reachable.join(", ")}). Use npm run test:real.`,
  );
}
