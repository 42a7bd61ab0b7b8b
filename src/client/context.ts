import type { Connection } from "./connection.ts";
import type { Http } from "./http.ts";
import type { ClientSession } from "./session.ts";

/** What the parts of one client share. */
export interface ClientContext {
  readonly http: Http;
  readonly connection: Connection;
  /** The caller's folder. */
  readonly cwd: string | undefined;
  readonly keepWarm: boolean;
  /** Unlike every other. */
  readonly newId: () => string;
  /** A session is over for the caller. */
  readonly left: (session: ClientSession) => void;
}
