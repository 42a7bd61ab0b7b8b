/** How terminal, page and command show cloud agents: the prompts addressed to them, their target repository and their status. */
import { oneLine } from "../events/printable.ts";

export interface AddressedPrompt {
  readonly to: "cloud" | "agent";
  /** The prompt without the `&`, or without the backslash that escaped it. */
  readonly text: string;
}

/**
 * Reads the `&` mark: `& prompt` goes to a cloud agent, `\& prompt` sends `& prompt` to the current agent. The mark counts only as the
 * first character and with text after it; `&&` is a shell operator and no mark.
 */
export function readCloudMark(text: string): AddressedPrompt {
  if (text.startsWith("\\&")) return { to: "agent", text: text.slice(1) };
  const rest = /^&(?!&)\s*(\S[\s\S]*)$/u.exec(text)?.[1];
  return rest === undefined ? { to: "agent", text } : { to: "cloud", text: rest };
}

/** The repository and branches that a cloud agent works with. The service decides about undefined fields. */
export interface CloudTarget {
  /** URL of the repository. */
  readonly repository?: string | undefined;
  /** Branch or commit to start from. */
  readonly ref?: string | undefined;
  /** Branch to push to. */
  readonly branch?: string | undefined;
  /** Open a pull request when the agent is done. */
  readonly createPr?: boolean | undefined;
}

/** The repository and branch for a cloud agent: the saved choice and the suggestion from git. */
export interface CloudTargetChoice {
  /** The last choice for this folder. Undefined when there is none, or when the remote of the folder has changed since. */
  readonly remembered?: CloudTarget | undefined;
  /** Derived from the folder's git repository: its remote and current branch. */
  readonly suggested: CloudTarget;
  /** A warning about local work that a cloud agent does not see, such as a branch that is not pushed. */
  readonly note?: string | undefined;
}

/** Returns `team/project` for a repository URL and other text unchanged. */
export function repositoryName(address: string): string {
  return oneLine(address).replace(/^https?:\/\/[^/]+\//, "");
}

/** Formats a target as one line: `team/project from main, to fix-it, pull request`. */
export function targetWords({ repository, ref, branch, createPr }: CloudTarget): string {
  const place = repository === undefined ? "no repository" : repositoryName(repository);
  const from = ref === undefined ? "" : ` from ${oneLine(ref)}`;
  const to = branch === undefined ? "" : `, to ${oneLine(branch)}`;
  return `${place}${from}${to}${createPr === true ? ", pull request" : ""}`;
}

export type CloudStatus = "working" | "idle" | "archived" | "failed" | "unknown";

export const cloudBadges: Readonly<
  Record<CloudStatus, { readonly label: string; readonly tone: "accent" | "good" | "bad" | "neutral" }>
> = {
  working: { label: "running", tone: "accent" },
  idle: { label: "finished", tone: "good" },
  failed: { label: "failed", tone: "bad" },
  archived: { label: "archived", tone: "neutral" },
  unknown: { label: "unknown", tone: "neutral" },
};

/** Falls back for an unknown status, which a server of another version may send. */
export function cloudBadge(status: string): (typeof cloudBadges)[CloudStatus] {
  return Object.hasOwn(cloudBadges, status) ? cloudBadges[status as CloudStatus] : cloudBadges.unknown;
}
