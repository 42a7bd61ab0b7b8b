import { writeProofNote } from "../../../core/catalog/proof-notes.ts";
import { createReins } from "../../../core/reins.ts";
import { closest } from "../../../events/closest.ts";
import { ReinsError } from "../../../events/errors.ts";
import { contract } from "../../../testing/contract/index.ts";
import type { ContractScenario } from "../../../testing/contract/types.ts";
import { allProofs, proofOf } from "../../../testing/proofs.ts";
import { prove, type ProveReport } from "../../../testing/prove/index.ts";
import { failures, matrix, totals } from "./matrix.ts";
import { untilEnding } from "../../signals.ts";
import { type Exit, exitOfCode } from "../../exit-codes.ts";
import { againIsolated, isolatedMark, whenOwnerEnds, whyNotIsolated } from "./isolate.ts";
import { jsonLine } from "../../../view/json-line.ts";
import { safeFor } from "../../render/text.ts";
import { Screen, writeOut } from "../../render/screen.ts";

interface ProveCommand {
  readonly json?: boolean;
  readonly only?: string;
}

/** `reins doctor --prove [agent]`: runs the contract against the installed agents, without a network if possible. */
export async function proveInstalled(
  wanted: string | undefined,
  options: ProveCommand,
  ending: AbortSignal,
): Promise<Exit> {
  const scenarios = options.only === undefined ? undefined : about(options.only);
  if (wanted !== undefined) await proofOf(wanted);
  const isolated = process.env[isolatedMark] === "1";
  const open = isolated ? undefined : await whyNotIsolated();
  if (!isolated && open === undefined) return exitOfCode(await againIsolated(process.argv.slice(1), ending));
  const screen = new Screen();
  if (open !== undefined)
    screen.line(`The network is not cut, because ${open}. Dead proxies stand before it.`, "yellow");
  const over = AbortSignal.any([ending, whenOwnerEnds()]);
  const reports: ProveReport[] = [];
  for (const id of wanted === undefined ? await installed(over) : [wanted]) {
    const report = await proveOne(id, screen, over, scenarios);
    // An aborted run proves nothing.
    if (over.aborted) return "terminated";
    reports.push(report);
  }
  await tell(reports, options);
  return reports.every(({ drift }) => drift.length === 0) ? "done" : "failed";
}

/** The installed agents that can be pointed at a scripted model. */
async function installed(ending: AbortSignal): Promise<readonly string[]> {
  await using reins = createReins();
  const provable = (await allProofs()).map(({ id }) => id);
  const statuses = await untilEnding(ending, reins.agents());
  const here = statuses.filter(({ id, installed: there }) => there && provable.includes(id)).map(({ id }) => id);
  if (here.length > 0) return here;
  throw new ReinsError("not_installed", "No agent is installed that could be proven.", {
    help: "`reins doctor` says how to install one.",
  });
}

async function proveOne(
  id: string,
  screen: Screen,
  signal: AbortSignal,
  scenarios: readonly ContractScenario[] | undefined,
): Promise<ProveReport> {
  screen.status(`${id}: starting`);
  const report = await prove(id, {
    signal,
    scenarios,
    onProgress: ({ result, done, total }) => {
      screen.status(`${id} ${done}/${total}: ${result.title}`);
      if (result.state === "failed") screen.line(`✘ ${id} ${result.title}`, "red");
    },
  }).finally(() => screen.still());
  if (signal.aborted) return report;
  const { proven, failed } = totals(report);
  const who = report.version === undefined ? id : `${id} ${report.version}`;
  const seconds = Math.round(report.ms / 1_000);
  screen.line(`${failed === 0 ? "✔" : "✘"} ${who}: ${proven} proven, ${failed} failed, in ${seconds} s`);
  if (report.version !== undefined && scenarios === undefined)
    await writeProofNote(id, { version: report.version, at: new Date().toISOString(), proven, failed }, process.env);
  return report;
}

/** The scenarios of a capability, or the scenario of that name. */
function about(word: string): readonly ContractScenario[] {
  const found = contract.filter(
    ({ id, proves }) => id === word || proves.some((row) => row === word || row.startsWith(`${word}.`)),
  );
  if (found.length > 0) return found;
  const words = [...new Set(contract.flatMap(({ id, proves }) => [id, ...proves]))];
  const near = closest(word, words);
  throw new ReinsError("invalid_input", `Nothing of the contract is about ${word}.`, {
    help:
      near === undefined
        ? "`reins doctor --prove --json` lists the names of the capabilities."
        : `Did you mean ${near}?`,
  });
}

async function tell(reports: readonly ProveReport[], { json = false }: ProveCommand): Promise<void> {
  if (json) return writeOut(reports.map(jsonLine).join(""));
  const network = reports.some(({ network: state }) => state === "open") ? "The network was not cut.\n" : "";
  await writeOut(safeFor(process.stdout)(`\n${matrix(reports)}${failures(reports)}${network}`));
}
