import type { Reins } from "../core/api.ts";
import { untilEnding } from "./ending.ts";
import { jsonLine } from "./json-line.ts";
import { openReins } from "./opened-reins.ts";
import { safeFor } from "./safe-text.ts";
import { Screen, writeOut } from "./screen.ts";

/** Asks something of a Reins, and says meanwhile what it waits for. */
export async function asking<Value>(
  what: string,
  ending: AbortSignal,
  ask: (reins: Reins) => Promise<Value>,
): Promise<Value> {
  return withReins(async (reins) => {
    const screen = new Screen();
    screen.status(what);
    return untilEnding(ending, ask(reins)).finally(() => screen.still());
  });
}

/** A Reins with what the person keeps, for as long as the work takes. */
export async function withReins<Value>(work: (reins: Reins) => Promise<Value>): Promise<Value> {
  await using opened = await openReins();
  return await work(opened.reins);
}

/** What a command prints: for a person, or with `--json` one line of JSON each. */
export async function print<Value>(
  values: readonly Value[],
  { json = false }: { readonly json?: boolean },
  shown: (values: readonly Value[]) => string,
): Promise<void> {
  await writeOut(json ? values.map(jsonLine).join("") : safeFor(process.stdout)(shown(values)));
}
