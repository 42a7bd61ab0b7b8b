import { accessSync, constants } from "node:fs";
import { join } from "node:path";
import type { Proof } from "../../../src/agents/contract.ts";

/** The path of an agent's pinned program, installed by `npm run test:real`. */
export function programOf({ install }: Proof): string {
  if (install === undefined) throw new Error("This agent is part of Reins and has no program.");
  const cache = process.env["REINS_AGENT_CACHE"];
  if (cache === undefined) throw new Error("REINS_AGENT_CACHE is not set. Use npm run test:real.");
  const path = join(cache, `${install.package}@${install.version}`, "node_modules", ".bin", install.bin);
  accessSync(path, constants.X_OK);
  return path;
}
