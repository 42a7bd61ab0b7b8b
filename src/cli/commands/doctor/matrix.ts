/** The results of `doctor --prove` as a matrix: capabilities as rows, agents as columns. */
import { capabilityRows } from "../../../events/capability-rows.ts";
import type { ContractResult, ContractState } from "../../../testing/contract/types.ts";
import { table } from "../../render/table.ts";

export interface Proven {
  readonly agent: string;
  readonly version?: string | undefined;
  readonly results: readonly ContractResult[];
}

const marks: Record<ContractState, string> = { proven: "✔", failed: "✘", not_provable: "?", not_declared: "·" };
/** When one capability has several results, the first state in this order wins. */
const order: readonly ContractState[] = ["failed", "proven", "not_provable", "not_declared"];
const legend = "✔ proven   ✘ declared and does not hold   ? cannot be shown here   · not declared";

export function matrix(proven: readonly Proven[]): string {
  const rows = [{ id: "always", label: "what every agent must do" }, ...capabilityRows]
    .map(({ id, label }) => [label, ...proven.map((one) => cell(id, one.results))])
    .filter(([, ...found]) => found.some((mark) => mark !== ""));
  const heads = proven.map(({ agent, version }) => (version === undefined ? agent : `${agent} ${version}`));
  return `${table(["", ...heads], rows)}\n${legend}\n`;
}

function cell(row: string, results: readonly ContractResult[]): string {
  const about = results.filter(({ capabilities }) => (capabilities as readonly string[]).includes(row));
  const state = order.find((one) => about.some((result) => result.state === one));
  if (state === undefined) return "";
  const those = about.filter((result) => result.state === state).length;
  const told = about.filter(({ state: one }) => one === "proven" || one === "failed").length;
  return told > 1 ? `${marks[state]} ${state === "failed" ? `${those} of ${told}` : those}` : marks[state];
}

/** A sentence for each failed scenario. */
export function failures(proven: readonly Proven[]): string {
  const lines = proven.flatMap(({ agent, results }) =>
    results
      .filter(({ state }) => state === "failed")
      .map(({ title, capabilities, sentence = "It does not hold." }) => {
        const declared = capabilities.filter((row) => row !== "always");
        const drift = declared.length === 0 ? "" : ` (declared: ${declared.join(", ")})`;
        return `✘ ${agent} ${title}${drift}\n  ${sentence}\n`;
      }),
  );
  return lines.length === 0 ? "" : `\n${lines.join("")}`;
}

export function totals({ results }: Proven): { readonly proven: number; readonly failed: number } {
  const count = (state: ContractState): number => results.filter((result) => result.state === state).length;
  return { proven: count("proven"), failed: count("failed") };
}
