/** What `pi --list-models` prints: a table of the models whose services have a key or a sign-in. */
import type { ModelInfo } from "../contract.ts";

export function modelsIn(stdout: string): ModelInfo[] {
  const [head = "", ...rows] = stdout.trimEnd().split("\n");
  const columns = head.trim().split(/\s{2,}/);
  if (columns[0] !== "provider" || columns[1] !== "model") return [];
  return rows.flatMap((row) => {
    const cells = row.trim().split(/\s{2,}/);
    const of = (name: string) => cells[columns.indexOf(name)];
    const [provider, id] = cells;
    if (provider === undefined || id === undefined || cells.length !== columns.length) return [];
    const contextSize = tokens(of("context"));
    return [{ id: `${provider}/${id}`, label: id, provider, thinking: of("thinking") === "yes", contextSize }];
  });
}

/** 200K, 1.5M. */
function tokens(shown: string | undefined): number | undefined {
  const [, amount, unit] = /^(\d+(?:\.\d+)?)([KM]?)$/.exec(shown ?? "") ?? [];
  if (amount === undefined) return undefined;
  return Math.round(Number(amount) * (unit === "M" ? 1_000_000 : unit === "K" ? 1_000 : 1));
}
