import type { Reins } from "../core/api.ts";
import { createReins } from "../core/reins.ts";
import { openStore } from "../store/index.ts";
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
  return withReins(async (reins) => {
    const screen = new Screen();
    screen.status(what);
    return untilEnding(ending, ask(reins)).finally(() => screen.still());
  });
}

/** A Reins with the person's store, for as long as the work takes. */
export async function withReins<Value>(work: (reins: Reins) => Promise<Value>): Promise<Value> {
  using store = openStore();
  await using reins = createReins({ store });
  try {
    return await work(reins);
  } finally {
    const warning = store.takeWarning();
    if (warning !== undefined) new Screen().line(`! ${warning}`, "yellow");
  }
}

/** What a command prints: for a person, or with `--json` one line of JSON each. */
export async function print<Value>(
  values: readonly Value[],
  { json = false }: { readonly json?: boolean },
  shown: (values: readonly Value[]) => string,
): Promise<void> {
  await writeOut(json ? values.map(jsonLine).join("") : safeFor(process.stdout)(shown(values)));
}
