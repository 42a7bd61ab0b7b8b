/**
 * A Reins process that ends in the middle of a turn: `node ending.ts <program> <wait|exit|throw> [alone]`. `alone` runs without a guardian.
 */
import { createReins } from "../../src/index.ts";

const [program = "", how = "", alone = ""] = process.argv.slice(2);
const reins = createReins({ guardian: alone !== "alone" });
const session = await reins.session({ agent: "demo", mode: "full" });

for await (const event of session.prompt(`run ${program}`)) {
  if (event.type !== "tool.progress") continue;
  console.log("ready");
  if (how === "exit") process.exit(7);
  // Throw from a callback, so that the error is uncaught.
  if (how === "throw") setImmediate(() => fail());
}

function fail(): never {
  throw new Error("nobody caught this");
}
