import type { Reins } from "../core/api.ts";
import { createReins } from "../core/reins.ts";
import { untilEnding } from "./ending.ts";
import { jsonLine } from "./json-line.ts";
import { safeFor } from "./safe-text.ts";
import { Screen, writeOut } from "./screen.ts";

/** Asks something of a Reins of its own, and says meanwhile what it waits for. */
export async function asking<Value>(
  what: string,
  ending: AbortSignal,
  ask: (reins: Reins) => Promise<Value>,
): Promise<Value> {
  await using reins = createReins();
  const screen = new Screen();
  screen.status(what);
  return await untilEnding(ending, ask(reins)).finally(() => screen.still());
}

/** What a command prints: for a person, or with `--json` one line of JSON each. */
export async function print<Value>(
  values: readonly Value[],
  { json = false }: { readonly json?: boolean },
  shown: (values: readonly Value[]) => string,
): Promise<void> {
  await writeOut(json ? values.map(jsonLine).join("") : safeFor(process.stdout)(shown(values)));
}
