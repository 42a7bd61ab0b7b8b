import type { ModelInfo } from "../agents/contract.ts";
import type { AgentStatus } from "../core/api.ts";
import { readProofNote } from "../core/proof-notes.ts";
import type { ProofNote } from "../core/proof-notes.ts";
import { createReins } from "../core/reins.ts";
import { toReinsError } from "../events/errors.ts";
import { commandName } from "./command-name.ts";
import { agentRows, doctorTable, modelsTable } from "./doctor-table.ts";
import { untilEnding } from "./ending.ts";
import { jsonLine } from "./json-line.ts";
import { safeFor } from "./safe-text.ts";
import { Screen, writeOut } from "./screen.ts";

export interface Examined extends AgentStatus {
  /** What `doctor --prove` found last. */
  readonly proof?: ProofNote | undefined;
}

export interface ListedModels {
  readonly agent: string;
  readonly models: readonly ModelInfo[];
  readonly help?: string | undefined;
}

/** `reins doctor`: what is here is shown as soon as it is known; models take longer and follow. */
export async function doctor(options: { readonly json?: boolean }, ending: AbortSignal): Promise<void> {
  await using reins = createReins();
  const screen = new Screen();
  const safe = safeFor(process.stdout);
  screen.status("Asking every agent");
  const statuses = await untilEnding(ending, reins.agents({ fresh: true })).finally(() => screen.still());
  const examined: readonly Examined[] = await Promise.all(
    statuses.map(async (status) => ({ ...status, proof: await readProofNote(status.id, process.env) })),
  );
  if (options.json !== true) await writeOut(safe(doctorTable(agentRows(examined))));

  const list = async ({ id }: AgentStatus): Promise<ListedModels> => {
    try {
      return { agent: id, models: await (await reins.manage(id)).models() };
    } catch (thrown) {
      return { agent: id, models: [], help: toReinsError(thrown).message };
    }
  };
  screen.status("Asking for models");
  const asked = Promise.all(examined.filter(({ ready }) => ready).map(list));
  const listed = await untilEnding(ending, asked).finally(() => screen.still());
  if (options.json === true) {
    const modelsOf = (id: string) => listed.find(({ agent }) => agent === id)?.models;
    await writeOut(examined.map((one) => jsonLine({ ...one, models: modelsOf(one.id) })).join(""));
  } else {
    const command = commandName();
    const hint = `\nOne agent: ${command} status <agent>\nProve them: ${command} doctor --prove\n`;
    await writeOut(safe(`\n${modelsTable(listed)}${hint}`));
  }
}
