/** The bottom row: activity, and facts of the session. Facts that do not fit are left out, the least important first. */
import { oneLine } from "../../events/printable.ts";
import { duration, limitName, phaseWords } from "../../view/labels.ts";
import type { Theme } from "../theme.ts";
import { cutStyled, styledColumns } from "../wrap.ts";
import type { SessionView } from "./session-view.ts";

export interface StatusFacts {
  readonly view: SessionView;
  /** Display name of the agent, if known. */
  readonly agentName: string | undefined;
  readonly agentVersion: string | undefined;
  /** The mode, in the agent's own word if it has one. */
  readonly mode: string;
  /** A newer version of the agent, if the agent reports one. */
  readonly newerVersion: string | undefined;
  readonly version: string;
  readonly now: number;
  /** A temporary message, such as "Press Esc again to stop." */
  readonly message: string | undefined;
  /** Number of other sessions that wait for an answer. */
  readonly waitingElsewhere: number;
  readonly cloudAgents: number;
  readonly editorMode: string | undefined;
}

const spinner = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"];
export const spinnerMs = 120;

function activity({ view, now }: StatusFacts, theme: Theme): string | undefined {
  if (view.state === "loading") return theme.dim("Loading the session");
  if (view.state === "waiting") return theme.warning("● Waiting for your answer");
  const frame = spinner[Math.floor(now / spinnerMs) % spinner.length]!;
  if (view.commands.size > 0)
    return `${theme.accent(frame)} Running the command ${theme.dim("Esc Esc or Ctrl+C stops")}`;
  if (view.state !== "running") return undefined;
  const { turn } = view;
  if (turn === undefined) return `${theme.accent(frame)} Starting the agent`;
  const seconds = Math.max(0, Math.floor((now - Date.parse(turn.startedAt)) / 1000));
  const elapsed = seconds < 60 ? `${seconds} s` : duration(seconds * 1000);
  const words = phaseWords(turn.phase ?? "model");
  return `${theme.accent(frame)} ${words} ${theme.dim(`${elapsed} · Esc Esc stops`)}`;
}

export function contextWords(
  context: { readonly used: number; readonly size?: number | undefined } | undefined,
): string | undefined {
  if (context === undefined) return undefined;
  if (context.size === undefined || context.size === 0) return `${short(context.used)} tokens`;
  return `${Math.round((100 * context.used) / context.size)} % of context`;
}

/** Formats 12,345 as `12k`. */
export function short(count: number): string {
  if (count < 1000) return String(count);
  return count < 1_000_000 ? `${Math.round(count / 1000)}k` : `${(count / 1_000_000).toFixed(1)}M`;
}

/** The limit that is closest to being reached. */
function limitWords({ conversation }: SessionView, theme: Theme): string | undefined {
  const [limit] = conversation.limits.toSorted((a, b) => (b.usedPercent ?? 0) - (a.usedPercent ?? 0));
  if (limit?.usedPercent === undefined && limit?.status !== "reached") return undefined;
  const words = `${limitName(limit.window)} ${limit.status === "reached" ? "reached" : `${Math.round(limit.usedPercent ?? 0)} %`}`;
  return limit.status === "ok" ? theme.dim(words) : theme.warning(words);
}

/** The agent's version, marked if the agent reports a newer one. */
function versionWords({ agentName, agentVersion, newerVersion }: StatusFacts, theme: Theme): string | undefined {
  if (agentVersion === undefined) return undefined;
  const shown = theme.dim(oneLine(`${agentName ?? "agent"} ${agentVersion}`));
  return newerVersion === undefined ? shown : `${shown} ${theme.warning(`↑ ${oneLine(newerVersion)}`)}`;
}

export function statusBar(facts: StatusFacts, width: number, theme: Theme): string {
  const { view, agentName, mode, version, message, waitingElsewhere, cloudAgents, editorMode } = facts;
  const { usage, context } = view.conversation;
  const agent = agentName ?? view.agent;
  const left: (string | undefined)[] = [
    agent === undefined ? theme.dim("choosing an agent") : theme.bold(theme.accent(oneLine(agent))),
    view.model === undefined ? undefined : oneLine(view.model),
    view.mode === "full" ? theme.warning(mode) : mode,
    message === undefined ? activity(facts, theme) : theme.warning(message),
  ];
  // The last ones are left out first.
  const right: (string | undefined)[] = [
    waitingElsewhere === 0 ? undefined : theme.warning(`${waitingElsewhere} waiting elsewhere`),
    view.queue.length === 0 ? undefined : `${view.queue.length} queued`,
    editorMode,
    contextWords(context),
    usage?.costUsd === undefined ? undefined : `$${usage.costUsd.toFixed(2)}`,
    limitWords(view, theme),
    cloudAgents === 0 ? undefined : `${cloudAgents} in the cloud`,
    versionWords(facts, theme),
    theme.dim(`reins ${version}`),
  ];
  const separator = theme.dim(" · ");
  const start = ` ${left.filter((part) => part !== undefined && part !== "").join(separator)}`;
  const room = width - styledColumns(start) - 2;
  const shown = right.filter((part) => part !== undefined);
  while (shown.length > 0 && styledColumns(shown.join(separator)) > room) shown.pop();
  const end = shown.join(separator);
  if (end === "") return cutStyled(start, width);
  const gap = Math.max(1, width - styledColumns(start) - styledColumns(end) - 1);
  return cutStyled(`${start}${" ".repeat(gap)}${end}`, width);
}
