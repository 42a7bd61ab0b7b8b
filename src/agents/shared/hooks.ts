/** Reins hooks in an agent's own settings files. Sessions install them when needed; these functions install them permanently. */
import type { Place } from "../contract.ts";

/** The settings file for all projects of the user, or the one in the project folder. */
export type HooksScope = "user" | "project";

/** State of the Reins hooks in one settings file of an agent. */
export interface HooksInfo {
  readonly scope: HooksScope;
  readonly path: string;
  /** `broken`: Reins cannot parse the file and leaves it unchanged. */
  readonly state: "absent" | "not_installed" | "installed" | "broken";
  /** True when the hooks stay until the user removes them. */
  readonly kept: boolean;
  /** Number of sessions that need the hooks now. */
  readonly sessions: number;
  /** Number of other hooks in the file. */
  readonly others: number;
  /** A further sentence for the user. */
  readonly detail?: string | undefined;
}

/** Installs and removes the Reins hooks of an agent, for `reins hooks`. */
export interface HooksManagement {
  readonly status: (at?: Place) => Promise<readonly HooksInfo[]>;
  /** Throws when the file must not be changed. */
  readonly install: (scope: HooksScope, at?: Place) => Promise<HooksInfo>;
  /** Restores the original file if it was not changed since. Sessions that need the hooks keep them until they end. */
  readonly remove: (scope: HooksScope, at?: Place) => Promise<HooksInfo>;
}
