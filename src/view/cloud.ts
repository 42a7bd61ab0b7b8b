/** Cloud agents as terminal, page and command show them: the prompts that are for one, where it works, and its status. Pure. */
import { oneLine } from "../events/printable.ts";

export interface AddressedPrompt {
  readonly to: "cloud" | "agent";
  /** Without the `&`, or without the backslash that made it plain. */
  readonly text: string;
}

/**
 * `& prompt` is for a cloud agent, `\& prompt` is `& prompt` for the current one. The mark counts only as the first character and with
 * something behind it; `&&` is the operator of a shell and not a mark.
 */
export function readCloudMark(text: string): AddressedPrompt {
  if (text.startsWith("\\&")) return { to: "agent", text: text.slice(1) };
  const rest = /^&(?!&)\s*(\S[\s\S]*)$/u.exec(text)?.[1];
  return rest === undefined ? { to: "agent", text } : { to: "cloud", text: rest };
}

/** Where a cloud agent works. Each undefined field is left to the service. */
export interface CloudTarget {
  /** The address of the repository. */
  readonly repository?: string | undefined;
  /** The branch or commit to start from. */
  readonly ref?: string | undefined;
  /** The branch to push to. */
  readonly branch?: string | undefined;
  /** Opens a pull request when it is done. */
  readonly createPr?: boolean | undefined;
}

export interface CloudTargetChoice {
  /** Chosen for this folder before; undefined where nobody has chosen, or the folder has another remote since. */
  readonly remembered?: CloudTarget | undefined;
  /** From the git repository of the folder: its remote and current branch. */
  readonly suggested: CloudTarget;
  /** A warning about local work that a cloud agent does not see, such as a branch that is not pushed. */
  readonly note?: string | undefined;
}

/** `team/project` of an address; other text as it is. */
export function repositoryName(address: string): string {
  return oneLine(address).replace(/^https?:\/\/[^/]+\//, "");
}

/** One line: `team/project from main, to fix-it, pull request`. */
export function targetWords({ repository, ref, branch, createPr }: CloudTarget): string {
  const place = repository === undefined ? "no repository" : repositoryName(repository);
  const from = ref === undefined ? "" : ` from ${oneLine(ref)}`;
  const to = branch === undefined ? "" : `, to ${oneLine(branch)}`;
  return `${place}${from}${to}${createPr === true ? ", pull request" : ""}`;
}

export type CloudStatus = "working" | "idle" | "archived" | "failed" | "unknown";

/** The badge of each status. */
export const cloudBadges: Readonly<
  Record<CloudStatus, { readonly label: string; readonly tone: "accent" | "good" | "bad" | "neutral" }>
> = {
  working: { label: "running", tone: "accent" },
  idle: { label: "finished", tone: "good" },
  failed: { label: "failed", tone: "bad" },
  archived: { label: "archived", tone: "neutral" },
  unknown: { label: "unknown", tone: "neutral" },
};

/** A server of another version may name a status that is not known here. */
export function cloudBadge(status: string): (typeof cloudBadges)[CloudStatus] {
  return Object.hasOwn(cloudBadges, status) ? cloudBadges[status as CloudStatus] : cloudBadges.unknown;
}
