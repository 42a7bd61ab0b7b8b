/** Runs before every file of real tests: a real agent is never started where it could reach anything. */
import { networkInterfaces } from "node:os";

const reachable = Object.keys(networkInterfaces()).filter((name) => name !== "lo");
if (reachable.length > 0) {
  throw new Error(
    `Real agents are tested in isolation only, and there is a network (${reachable.join(", ")}): use npm run test:real.`,
  );
}
