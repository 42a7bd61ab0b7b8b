import { fileURLToPath } from "node:url";

/** Where the wire of an agent is kept, of one scenario or all. */
export const recordingsOf = (agent: string, scenario = ""): string =>
  fileURLToPath(new URL(`../fixtures/${agent}/contract/${scenario}`, import.meta.url));
