import type { Gates } from "./gates.ts";
import type { RequestLog } from "./requests.ts";
import type { Script } from "./script.ts";

/** What every request to one scripted model shares. */
export interface House {
  readonly script: Script;
  readonly log: RequestLog;
  readonly gates: Gates;
}
