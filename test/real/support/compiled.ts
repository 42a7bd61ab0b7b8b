/** Node's compile cache, shared by all tests: some agents start a third faster with it, and each is started hundreds of times. */
import { join } from "node:path";

const cache = process.env["REINS_AGENT_CACHE"];

export const compiled: Readonly<Record<string, string>> =
  cache === undefined ? {} : { NODE_COMPILE_CACHE: join(cache, "compiled") };
