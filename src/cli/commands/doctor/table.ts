import { signedIn } from "../../render/agents-table.ts";
import type { Examined, ListedModels } from "./doctor.ts";
import { table } from "../../render/table.ts";

/** One row an agent; what to do about it below. */
export function doctorTable(examined: readonly Examined[]): string {
  const rows = examined.map((one) => ({
    cells: [
      one.ready ? "✔" : one.installed ? "!" : "·",
      one.experimental ? `${one.id} (experimental)` : one.id,
      one.version ?? "",
      proven(one),
      signedIn(one),
      (one.keysSet ?? []).join(", "),
      one.builtIn === true ? "built in" : (one.path ?? ""),
    ],
    below: notes(one),
  }));
  return table(["", "agent", "version", "proven", "signed in", "keys set", "found"], rows);
}

/** Whether what Reins says of the agent was shown with the version that is here. */
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
    ...(others.length === 0 ? [] : [`→ There is another one, which is not used: ${others.join(", ")}.`]),
  ];
  return said.length === 0 ? undefined : said.join(" ");
}

const shown = 4;

export function modelsTable(listed: readonly ListedModels[]): string {
  if (listed.length === 0) return "No agent is ready, so there are no models to list.\n";
  const rows = listed.map(({ agent, models, help }) => ({
    cells: [agent, models.length === 0 ? (help ?? "none listed") : names(models.map(({ id }) => id))],
  }));
  return table(["agent", "models"], rows);
}

function names(ids: readonly string[]): string {
  const more = ids.length - shown;
  return ids.slice(0, shown).join(", ") + (more > 0 ? ` and ${more} more` : "");
}
