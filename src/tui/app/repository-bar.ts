/** Draws `repo > branch > STATUS (PR #n) [action →]`. */
import { oneLine } from "../../events/printable.ts";
import { missingWords, repositoryLabel, type RepositoryStatus } from "../../view/repository.ts";
import type { Line } from "../line.ts";
import type { Theme } from "../theme.ts";
import { cutStyled, styledColumns } from "../wrap.ts";

const branchColor = "#00CCCC";

export interface RepositoryBar {
  readonly text: string;
  /** Columns of the action; a click there runs it. */
  readonly action?: { readonly from: number; readonly to: number } | undefined;
}

/** The same as a column with one fact per row, each cut to the width. */
export function repositoryColumn(
  status: RepositoryStatus | undefined,
  theme: Theme,
  options: { readonly showAction: boolean; readonly leader: string },
): { readonly lines: readonly Line[]; readonly action?: { readonly row: number; readonly width: number } | undefined } {
  const rows = (texts: readonly string[]): readonly Line[] => texts.map((text) => ({ text, wrap: "cut" }));
  if (status === undefined) return { lines: rows([theme.dim("Loading the repository…")]) };
  const { label, color } = repositoryLabel(status.status);
  const facts = [
    theme.bold(oneLine(status.repoName)),
    theme.colour(branchColor, oneLine(status.branch)),
    theme.colour(color, label) + (status.prNumber === null ? "" : theme.dim(` (PR #${status.prNumber})`)),
  ];
  if (!options.showAction) return { lines: rows(facts) };
  if (status.missing !== undefined) return { lines: rows([...facts, theme.dim(missingWords[status.missing].label)]) };
  const action = `[${status.action.label} →]`;
  return {
    lines: rows([...facts, `${theme.selected(action)}${theme.dim(` ${options.leader} b`)}`]),
    action: { row: facts.length, width: action.length },
  };
}

/** `undefined` before the first answer. */
export function repositoryBar(
  status: RepositoryStatus | undefined,
  width: number,
  theme: Theme,
  options: { readonly showAction: boolean; readonly leader: string },
): RepositoryBar {
  if (status === undefined) return { text: theme.dim(cutStyled(" Loading the repository…", width)) };
  const { label, color } = repositoryLabel(status.status);
  const arrow = theme.dim(" > ");
  const pull = status.prNumber === null ? "" : theme.dim(` (PR #${status.prNumber})`);
  const start = ` ${theme.bold(oneLine(status.repoName))}${arrow}${theme.colour(branchColor, oneLine(status.branch))}${arrow}${theme.colour(color, label)}${pull}`;
  if (options.showAction && status.missing !== undefined)
    return { text: cutStyled(`${start} ${theme.dim(`(${missingWords[status.missing].label})`)}`, width) };
  const action = `[${status.action.label} →]`;
  if (!options.showAction || styledColumns(start) + action.length + 1 > width) return { text: cutStyled(start, width) };
  const from = styledColumns(start) + 1;
  const hint = theme.dim(` ${options.leader} b`);
  const text = `${start} ${theme.selected(action)}`;
  return {
    text: styledColumns(text + hint) <= width ? text + hint : text,
    action: { from, to: from + action.length },
  };
}
