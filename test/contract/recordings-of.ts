import { fileURLToPath } from "node:url";

/** Where the wire of an agent is kept, of one scenario or all; each way of speaking to it has a folder of its own. */
export const recordingsOf = (agent: string, scenario = "", channel = ""): string =>
  fileURLToPath(
    new URL(`../fixtures/${agent}/${["contract", channel].filter(Boolean).join("-")}/${scenario}`, import.meta.url),
  );
