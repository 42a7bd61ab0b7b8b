import type { Reins } from "../core/api.ts";
import { jsonLine } from "../view/json-line.ts";
import { Screen, writeOut } from "./render/screen.ts";
import { safeFor } from "./render/text.ts";
import { openReins } from "./server-connection/open-reins.ts";
import { untilEnding } from "./signals.ts";

/** Asks something of a Reins, and shows meanwhile what it waits for. */
export async function withStatus<Value>(
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

/** Opens a Reins with the user's store for as long as the work takes. */
export async function withReins<Value>(work: (reins: Reins) => Promise<Value>): Promise<Value> {
  await using opened = await openReins();
  return await work(opened.reins);
}

/** Prints what a command found: for a user, or with `--json` one line of JSON each. */
export async function print<Value>(
  values: readonly Value[],
  { json = false }: { readonly json?: boolean | undefined },
  shown: (values: readonly Value[]) => string,
): Promise<void> {
  await writeOut(json ? values.map(jsonLine).join("") : safeFor(process.stdout)(shown(values)));
}
