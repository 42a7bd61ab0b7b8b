import type { Reins } from "../core/api.ts";
import { toReinsError } from "../events/errors.ts";
import { jsonLine } from "../view/json-line.ts";
import { Screen, writeOut } from "./render/screen.ts";
import { safeFor } from "./render/text.ts";
import { openReins } from "./server-connection/open-reins.ts";
import { untilEnding } from "./signals.ts";

/** Shows a status line while `work` runs. */
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

/** Runs `work` with a status line and prints its result: for a user, or with `--json` one line of JSON each. */
export async function show<Value>(
  what: string,
  { ending, json }: { readonly ending: AbortSignal; readonly json: boolean | undefined },
  ask: (reins: Reins) => Promise<readonly Value[]>,
  shown: (values: readonly Value[]) => string,
): Promise<void> {
  await print(await withStatus(what, ending, ask), { json }, shown);
}

/** Opens a Reins with the user's store while `work` runs. */
export async function withReins<Value>(work: (reins: Reins) => Promise<Value>): Promise<Value> {
  await using opened = await openReins();
  return await work(opened.reins);
}

export async function print<Value>(
  values: readonly Value[],
  { json = false }: { readonly json?: boolean | undefined },
  shown: (values: readonly Value[]) => string,
): Promise<void> {
  await writeOut(json ? values.map(jsonLine).join("") : safeFor(process.stdout)(shown(values)));
}

/** Why one of several agents could not answer, as one line. */
export function failureText(thrown: unknown): string {
  const { message, help } = toReinsError(thrown);
  return help === undefined ? message : `${message} ${help}`;
}
