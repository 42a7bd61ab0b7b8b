/** Remote agents: options of a session, what runs there, and webhooks. */

/** The repository and branch that a remote agent works on, and whether it opens a pull request. */
export interface RemoteOptions {
  /** The address of a repository. Default: the origin of the session's folder. */
  readonly repository?: string | undefined;
  /** A branch or a commit to begin from. */
  readonly ref?: string | undefined;
  /** The branch it pushes to; may be the same as `ref`. */
  readonly branch?: string | undefined;
  /** Works on this pull request; `ref` is ignored. */
  readonly pullRequest?: string | undefined;
  /** Opens a pull request when it is done. */
  readonly createPr?: boolean | undefined;
  /** The pull request is opened in the name of the service, not of the user. */
  readonly asApp?: boolean | undefined;
  /** No reviewer is requested. */
  readonly noReviewer?: boolean | undefined;
  /** The name of the remote agent. */
  readonly name?: string | undefined;
  /** Called when its status changes. */
  readonly webhook?: { readonly url: string; readonly secret: string } | undefined;
}

/** Remote agents of the account, whoever started them. */
export interface CloudManagement {
  /** Newest first. */
  list(options?: CloudListOptions): Promise<CloudPage>;
  get(id: string): Promise<CloudAgent>;
  /** The id of the agent that a state is about. */
  idOf(state: string): string | Promise<string>;
  /** Ends the current run; false where there is none. */
  stop(id: string): Promise<boolean>;
  archive(id: string): Promise<void>;
  unarchive(id: string): Promise<void>;
  remove(id: string): Promise<void>;
  artifacts(id: string): Promise<readonly CloudArtifact[]>;
  /** A temporary address to download it from, open to everybody who has it. */
  artifactUrl(id: string, path: string): Promise<{ readonly url: string; readonly expiresAt?: string | undefined }>;
  usage(id: string): Promise<readonly CloudRunUsage[]>;
  /** The account of the key. */
  me(): Promise<CloudAccount>;
  repositories(): Promise<readonly string[]>;
}

export interface CloudListOptions {
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
  readonly archived?: boolean | undefined;
  readonly pullRequest?: string | undefined;
}

export interface CloudPage {
  readonly agents: readonly CloudAgent[];
  /** Of the next page; undefined on the last. */
  readonly cursor?: string | undefined;
}

export interface CloudAgent {
  readonly id: string;
  /** Resumes it (`OpenOptions.state`). */
  readonly state: string;
  readonly name?: string | undefined;
  /** `unknown`: a status that Reins does not know. */
  readonly status: "working" | "idle" | "archived" | "failed" | "unknown";
  /** A page for people. */
  readonly url?: string | undefined;
  readonly repositories: readonly string[];
  readonly branches: readonly CloudBranch[];
  /** ISO 8601. */
  readonly createdAt?: string | undefined;
  readonly updatedAt?: string | undefined;
}

export interface CloudBranch {
  readonly repository?: string | undefined;
  readonly branch?: string | undefined;
  readonly pullRequest?: string | undefined;
}

export interface CloudArtifact {
  readonly path: string;
  readonly bytes?: number | undefined;
  readonly updatedAt?: string | undefined;
}

export interface CloudRunUsage {
  readonly run: string;
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
  readonly costUsd?: number | undefined;
}

export interface CloudAccount {
  readonly key?: string | undefined;
  readonly email?: string | undefined;
  readonly name?: string | undefined;
}

/** A webhook call of the service. `body` must be the original bytes: they are signed. */
export type ReceiveWebhook = (call: {
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: Uint8Array;
}) => Promise<WebhookAnswer>;

export interface WebhookAnswer {
  /** The answer to the service. */
  readonly status: 200 | 400 | 401 | 413 | 503;
  /** One sentence, where the call was refused or repeated. */
  readonly message?: string | undefined;
  /** The remote agent that changed; undefined for a repeated call. */
  readonly event?:
    | (Pick<CloudAgent, "id" | "state" | "status" | "branches"> & {
        readonly time: string;
        readonly summary?: string | undefined;
      })
    | undefined;
}
