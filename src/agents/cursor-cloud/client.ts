/** What a session and a person ask of the service, whichever version of its API answers. */
import type { AgentEventOf } from "../../events/types.ts";
import type {
  CloudAccount,
  CloudAgent,
  CloudArtifact,
  CloudBranch,
  CloudListOptions,
  CloudPage,
  CloudRunUsage,
} from "../shared/cloud.ts";
import type { ModelInfo } from "../contract.ts";
import type { Launch, RunRequest } from "./launch.ts";

export interface Client {
  readonly version: "v0" | "v1";
  /** The agent and its first run. */
  create(launch: Launch, how: How): Promise<Started>;
  /** A further prompt. `before` is the run that was the last one until then, as far as it is known. */
  startRun(id: string, request: RunRequest, how: How & { readonly before: string | undefined }): Promise<RunInfo>;
  /** Undefined where it has had no run yet. */
  latestRun(id: string, how?: How): Promise<RunInfo | undefined>;
  run(id: string, runId: string, how?: How): Promise<RunInfo>;
  /** False where it was over already. */
  cancel(id: string, runId: string, how?: How): Promise<boolean>;
  /** What this run used; undefined where nothing is known. */
  runUsage(id: string, runId: string, how?: How): Promise<CloudRunUsage | undefined>;

  list(options?: CloudListOptions): Promise<CloudPage>;
  get(id: string): Promise<CloudAgent>;
  archive(id: string, archived: boolean): Promise<void>;
  remove(id: string): Promise<void>;
  artifacts(id: string): Promise<readonly CloudArtifact[]>;
  artifactUrl(id: string, path: string): Promise<{ url: string; expiresAt?: string | undefined }>;
  usage(id: string): Promise<readonly CloudRunUsage[]>;
  me(): Promise<CloudAccount>;
  models(): Promise<readonly (ModelInfo & { readonly aliases?: readonly string[] })[]>;
  repositories(): Promise<readonly string[]>;
  /** Of all runs, oldest first, where they are kept apart. */
  runs(id: string): Promise<readonly RunInfo[]>;
}

export interface How {
  readonly signal?: AbortSignal | undefined;
  readonly waiting?: AbortSignal | undefined;
  readonly onRetry?: ((event: AgentEventOf<"agent.retrying">) => void) | undefined;
}

export interface Started {
  readonly agent: CloudAgent;
  readonly run: RunInfo;
}

export interface RunInfo {
  readonly id: string;
  /** As the service calls it. */
  readonly status: string;
  readonly createdAt?: string | undefined;
  /** The last thing it said, once it is over. */
  readonly result?: string | undefined;
  readonly error?: { readonly code?: string | undefined; readonly message?: string | undefined } | undefined;
  readonly branches: readonly CloudBranch[];
}

/** A run that is over says one of these; a word that nobody knows yet may mean that it goes on. */
const endings: ReadonlySet<string> = new Set(["FINISHED", "ERROR", "CANCELLED", "EXPIRED", "STOPPED", "FAILED"]);

export const isOver = (status: string): boolean => endings.has(status.toUpperCase());
