/** The comparisons of this person, with a way of their own to run git. */
import { join } from "node:path";
import { deadlinesWith } from "../../events/deadlines.ts";
import { limitsWith } from "../../events/limits.ts";
import { stateHome } from "../../process/home.ts";
import { createProcesses } from "../../process/index.ts";
import { Comparisons } from "./comparisons.ts";
import type { ComparisonsOptions } from "./comparisons.ts";

export function openComparisons(options: Omit<ComparisonsOptions, "processes" | "folder">): Comparisons {
  const { env, redact } = options;
  const tables = { deadlines: deadlinesWith(undefined), limits: limitsWith(undefined) };
  // Git ends by itself, whatever becomes of us: nobody has to watch.
  const processes = createProcesses({ env, redact, ...tables, guardian: false });
  return new Comparisons({ ...options, processes, folder: join(stateHome(env), "comparisons") });
}
