/** Hooks of ours in files of the person's, for agents that have such files. Sessions put them there by themselves; this is for who wants them to stay. */
import type { Place } from "../contract.ts";

/** A file for all projects of a person, or one of the folder. */
export type HooksScope = "user" | "project";

export interface HooksInfo {
  readonly scope: HooksScope;
  readonly path: string;
  /** `broken`: there is a file that Reins cannot read, and leaves as it is. */
  readonly state: "absent" | "not_installed" | "installed" | "broken";
  /** They stay until they are removed. */
  readonly kept: boolean;
  /** How many sessions need them now. */
  readonly sessions: number;
  /** How many hooks of others are in it. */
  readonly others: number;
  /** What else is to be said, one sentence. */
  readonly detail?: string | undefined;
}

export interface HooksManagement {
  readonly status: (at?: Place) => Promise<readonly HooksInfo[]>;
  /** Throws where the file is not to be touched. */
  readonly install: (scope: HooksScope, at?: Place) => Promise<HooksInfo>;
  /** The file is as it was before, where nobody changed it since; sessions that need them keep them until they end. */
  readonly remove: (scope: HooksScope, at?: Place) => Promise<HooksInfo>;
}
