/** Hooks of Reins in an agent's own files. Sessions install them as needed; these functions make them stay. */
import type { Place } from "../contract.ts";

/** The file for all projects of the user, or that of the folder. */
export type HooksScope = "user" | "project";

export interface HooksInfo {
  readonly scope: HooksScope;
  readonly path: string;
  /** `broken`: there is a file that Reins cannot read, and leaves as it is. */
  readonly state: "absent" | "not_installed" | "installed" | "broken";
  /** The hooks stay until they are removed. */
  readonly kept: boolean;
  /** The number of sessions that need them now. */
  readonly sessions: number;
  /** The number of other hooks in the file. */
  readonly others: number;
  /** One more sentence for the user. */
  readonly detail?: string | undefined;
}

export interface HooksManagement {
  readonly status: (at?: Place) => Promise<readonly HooksInfo[]>;
  /** Throws where the file is not to be touched. */
  readonly install: (scope: HooksScope, at?: Place) => Promise<HooksInfo>;
  /** Restores the file where it was not changed since. Sessions that need the hooks keep them until they end. */
  readonly remove: (scope: HooksScope, at?: Place) => Promise<HooksInfo>;
}
