/** Agents that work elsewhere: what a session there is told, what runs there, and what their service calls back. */

/** Where an agent that works elsewhere works, and what comes of it. */
export interface RemoteOptions {
  /** The address of a repository. Default: what the folder of the session was cloned from, where it was. */
  readonly repository?: string | undefined;
  /** A branch or a commit to begin from. */
  readonly ref?: string | undefined;
  /** Where it pushes to; the same as `ref`: right there. */
  readonly branch?: string | undefined;
  /** It works on what this pull request proposes; `ref` counts no more. */
  readonly pullRequest?: string | undefined;
  /** It opens a pull request when it is done. */
  readonly createPr?: boolean | undefined;
  /** ... in the name of the service, and not of the person. */
  readonly asApp?: boolean | undefined;
  /** ... and asks nobody for a review. */
  readonly noReviewer?: boolean | undefined;
  /** What it is called there. */
  readonly name?: string | undefined;
  /** Told when its status changes. */
  readonly webhook?: { readonly url: string; readonly secret: string } | undefined;
}

/** What runs there, whoever began it. */
export interface CloudManagement {
  /** Newest first. */
  list(options?: CloudListOptions): Promise<CloudPage>;
  get(id: string): Promise<CloudAgent>;
  /** The id of the agent that a state is about. */
  idOf(state: string): string | Promise<string>;
  /** Ends the run that goes on; false where none did. */
  stop(id: string): Promise<boolean>;
  archive(id: string): Promise<void>;
  unarchive(id: string): Promise<void>;
  /** For good. */
  remove(id: string): Promise<void>;
  artifacts(id: string): Promise<readonly CloudArtifact[]>;
  /** An address from which it can be fetched for a short while; whoever has it may. */
  artifactUrl(id: string, path: string): Promise<{ readonly url: string; readonly expiresAt?: string | undefined }>;
  usage(id: string): Promise<readonly CloudRunUsage[]>;
  /** Whose key it is. */
  me(): Promise<CloudAccount>;
  /** Those that the service may work on. */
  repositories(): Promise<readonly string[]>;
}

export interface CloudListOptions {
  readonly limit?: number | undefined;
  /** Of the page before. */
  readonly cursor?: string | undefined;
  readonly archived?: boolean | undefined;
  readonly pullRequest?: string | undefined;
}

export interface CloudPage {
  readonly agents: readonly CloudAgent[];
  /** Of the next page; not there at the end. */
  readonly cursor?: string | undefined;
}

export interface CloudAgent {
  readonly id: string;
  /** To go on from. */
  readonly state: string;
  readonly name?: string | undefined;
  /** `unknown`: the service has a further word. */
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

/** A call of the service to tell that something happened. `body` must be as it came: it is signed. */
export type ReceiveWebhook = (call: {
  /** By their names in small letters. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: Uint8Array;
}) => Promise<WebhookAnswer>;

export interface WebhookAnswer {
  /** The answer to the service. */
  readonly status: 200 | 400 | 401 | 413 | 503;
  /** One sentence, where the call was refused or came before. */
  readonly message?: string | undefined;
  /** The remote agent that changed; not there for a call that came before. */
  readonly event?:
    | (Pick<CloudAgent, "id" | "state" | "status" | "branches"> & {
        readonly time: string;
        readonly summary?: string | undefined;
      })
    | undefined;
}
