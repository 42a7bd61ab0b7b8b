import type { Command } from "commander";
import type { ModelInfo } from "../../../agents/contract.ts";
import type { AgentStatus } from "../../../core/api.ts";
import { readProofNote, type ProofNote } from "../../../core/catalog/proof-notes.ts";
import { ReinsError, toReinsError } from "../../../events/errors.ts";
import { jsonLine } from "../../../view/json-line.ts";
import { addCommand, texts, type CommandContext } from "../../command.ts";
import { commandName } from "../../installation.ts";
import { idOf, signedIn } from "../../render/agents-table.ts";
import { Screen, writeOut } from "../../render/screen.ts";
import { table } from "../../render/table.ts";
import { safeFor } from "../../render/text.ts";
import { untilEnding } from "../../signals.ts";

interface Examined extends AgentStatus {
  /** The last result of `doctor --prove`. */
  readonly proof?: ProofNote | undefined;
}

interface ListedModels {
  readonly agent: string;
  readonly models: readonly ModelInfo[];
  readonly help?: string | undefined;
}

interface DoctorOptions {
  readonly json?: boolean;
  readonly prove?: string | true;
  readonly only?: string;
}

const proveHelp = `
\`reins doctor --prove\` starts the agent that is installed on this machine,
points it at a model that only says what a script tells it to, and shows for
everything that Reins says the agent can do whether it really does it, in the
version that is here. On Linux it runs without a network.
`;

export function register(program: Command, { ending, finish }: CommandContext): void {
  const prove = "run the contract on the agents installed here, against a scripted model: no account, no tokens";
  addCommand(program, "doctor", "Check the installed agents: what works, and how to fix the rest.")
    .option("--prove [agent]", prove)
    .option("--only <capability>", "with --prove: only this capability or scenario")
    .option("--json", texts.json)
    .addHelpText("after", proveHelp)
    .action(async (options: DoctorOptions) => {
      if (options.prove === undefined) {
        if (options.only !== undefined) throw new ReinsError("invalid_input", "`--only` needs `--prove`.");
        return doctor(options, ending);
      }
      const { proveInstalled } = await import("./prove.ts");
      return finish(await proveInstalled(options.prove === true ? undefined : options.prove, options, ending));
    });
}

/** Shows each agent as soon as it is known; models take longer and follow. */
async function doctor(options: DoctorOptions, ending: AbortSignal): Promise<void> {
  const { createReins } = await import("../../../core/reins.ts");
  await using reins = createReins();
  const screen = new Screen();
  const safe = safeFor(process.stdout);
  screen.status("Asking every agent");
  const statuses = await untilEnding(ending, reins.agents({ fresh: true })).finally(() => screen.still());
  const examined: readonly Examined[] = await Promise.all(
    statuses.map(async (status) => ({ ...status, proof: await readProofNote(status.id, process.env) })),
  );
  if (options.json !== true) await writeOut(safe(doctorTable(examined)));

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

/** A table with one row per agent and the next step below it. */
function doctorTable(examined: readonly Examined[]): string {
  const rows = examined.map((one) => ({
    cells: [
      one.ready ? "✔" : one.installed ? "!" : "·",
      idOf(one),
      one.version,
      proven(one),
      signedIn(one),
      (one.keysSet ?? []).join(", "),
      one.builtIn === true ? "built in" : one.path,
    ],
    below: notes(one),
  }));
  return table(["", "agent", "version", "proven", "signed in", "keys set", "found"], rows);
}

/** Returns whether the declared capabilities were proven with the installed version. */
function proven({ version, proof, testedVersion, builtIn, installed }: Examined): string {
  if (builtIn === true) return "by our tests";
  if (!installed || version === undefined) return "";
  if (proof?.version === version) return proof.failed === 0 ? "here" : `${proof.failed} failed`;
  if (testedVersion === undefined) return "no";
  return testedVersion === version ? "by our tests" : `with ${testedVersion}`;
}

function notes({ help, others = [] }: Examined): string | undefined {
  const said = [
    ...(help === undefined ? [] : [`→ ${help}`]),
    ...(others.length === 0 ? [] : [`→ Other installations, not used: ${others.join(", ")}.`]),
  ];
  return said.length === 0 ? undefined : said.join(" ");
}

const shown = 4;

function modelsTable(listed: readonly ListedModels[]): string {
  if (listed.length === 0) return "No agent is ready, so there are no models to list.\n";
  const rows = listed.map(({ agent, models, help = "none listed" }) => {
    const names = models.slice(0, shown).map(({ id }) => id);
    const more = models.length > shown ? ` and ${models.length - shown} more` : "";
    return [agent, models.length === 0 ? help : names.join(", ") + more];
  });
  return table(["agent", "models"], rows);
}
