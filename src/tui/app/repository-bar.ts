/** `repo > branch > STATUS (PR #n) [action →]`. */
import { oneLine } from "../../events/printable.ts";
import { repositoryLabel, type RepositoryStatus } from "../../view/repository.ts";
import type { Theme } from "../theme.ts";
import { cutStyled, styledColumns } from "../wrap.ts";

export interface RepositoryBar {
  readonly text: string;
  /** The columns in which the action is; a press there runs it. */
  readonly action?: { readonly from: number; readonly to: number } | undefined;
}

/** `undefined` while the first answer has not come. */
export function repositoryBar(
  status: RepositoryStatus | undefined,
  width: number,
  theme: Theme,
  options: { readonly showAction: boolean; readonly leader: string },
): RepositoryBar {
  if (status === undefined) return { text: theme.dim(cutStyled(" Reading the repository…", width)) };
  const { label, color } = repositoryLabel(status.status);
  const arrow = theme.dim(" > ");
  const pull = status.prNumber === null ? "" : theme.dim(` (PR #${status.prNumber})`);
  const start = ` ${theme.bold(oneLine(status.repoName))}${arrow}${theme.colour("#00CCCC", oneLine(status.branch))}${arrow}${theme.colour(color, label)}${pull}`;
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
