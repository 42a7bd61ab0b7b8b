/** Remote agents: session options, management and webhooks. */

/** The repository and branch that a remote agent works on, and whether it opens a pull request. */
export interface RemoteOptions {
  /** Address of a repository. Default: the origin remote of the session's folder. */
  readonly repository?: string | undefined;
  /** The branch or commit to start from. */
  readonly ref?: string | undefined;
  /** The branch that the agent pushes to; may be the same as `ref`. */
  readonly branch?: string | undefined;
  /** Works on this pull request; `ref` is ignored. */
  readonly pullRequest?: string | undefined;
  /** Opens a pull request when the agent is done. */
  readonly createPr?: boolean | undefined;
  /** Opens the pull request in the name of the service, not of the user. */
  readonly asApp?: boolean | undefined;
  /** Requests no reviewer. */
  readonly noReviewer?: boolean | undefined;
  readonly name?: string | undefined;
  /** The service calls this address when the status of the agent changes. */
  readonly webhook?: { readonly url: string; readonly secret: string } | undefined;
}

/** The remote agents of the account, including those that other programs started. */
export interface CloudManagement {
  /** Newest first. */
  list(options?: CloudListOptions): Promise<CloudPage>;
  get(id: string): Promise<CloudAgent>;
  /** The id of the agent that a state belongs to. */
  idOf(state: string): string | Promise<string>;
  /** Ends the current run. Returns false when none is running. */
  stop(id: string): Promise<boolean>;
  archive(id: string): Promise<void>;
  unarchive(id: string): Promise<void>;
  remove(id: string): Promise<void>;
  artifacts(id: string): Promise<readonly CloudArtifact[]>;
  /** A temporary download address. Anyone who has the address can use it. */
  artifactUrl(id: string, path: string): Promise<{ readonly url: string; readonly expiresAt?: string | undefined }>;
  usage(id: string): Promise<readonly CloudRunUsage[]>;
  /** The account that the key belongs to. */
  me(): Promise<CloudAccount>;
  repositories(): Promise<readonly string[]>;
}

/** Options of `CloudManagement.list`. */
export interface CloudListOptions {
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
  readonly archived?: boolean | undefined;
  readonly pullRequest?: string | undefined;
}

/** A page of remote agents. */
export interface CloudPage {
  readonly agents: readonly CloudAgent[];
  /** Cursor of the next page; undefined on the last page. */
  readonly cursor?: string | undefined;
}

/** A remote agent as its service lists it. */
export interface CloudAgent {
  readonly id: string;
  /** Resumes the agent, as `OpenOptions.state`. */
  readonly state: string;
  readonly name?: string | undefined;
  /** `unknown`: a status that Reins does not know. */
  readonly status: "working" | "idle" | "archived" | "failed" | "unknown";
  /** A web page about the agent. */
  readonly url?: string | undefined;
  readonly repositories: readonly string[];
  readonly branches: readonly CloudBranch[];
  /** ISO 8601. */
  readonly createdAt?: string | undefined;
  readonly updatedAt?: string | undefined;
}

/** A branch that a remote agent pushed to. */
export interface CloudBranch {
  readonly repository?: string | undefined;
  readonly branch?: string | undefined;
  readonly pullRequest?: string | undefined;
}

/** A file that a remote agent produced. */
export interface CloudArtifact {
  readonly path: string;
  readonly bytes?: number | undefined;
  readonly updatedAt?: string | undefined;
}

/** Tokens that a run of a remote agent used. */
export interface CloudRunUsage {
  readonly run: string;
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
  readonly costUsd?: number | undefined;
}

/** The account that a key belongs to. */
export interface CloudAccount {
  readonly key?: string | undefined;
  readonly email?: string | undefined;
  readonly name?: string | undefined;
}

/** Handles a webhook call of the service. `body` must be the original bytes, because they are signed. */
export type ReceiveWebhook = (call: {
  /** Keys are lower-case header names. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: Uint8Array;
}) => Promise<WebhookAnswer>;

/** The result of handling a webhook call. */
export interface WebhookAnswer {
  /** The HTTP status to answer the service with. */
  readonly status: 200 | 400 | 401 | 413 | 503;
  /** A sentence, set when the call was refused or repeated. */
  readonly message?: string | undefined;
  /** The remote agent that changed; undefined for a repeated call. */
  readonly event?:
    | (Pick<CloudAgent, "id" | "state" | "status" | "branches"> & {
        readonly time: string;
        readonly summary?: string | undefined;
      })
    | undefined;
}
