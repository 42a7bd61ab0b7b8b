import type { ModelInfo } from "../contract.ts";
import type { CloudAgent, CloudBranch, CloudManagement, CloudRunUsage } from "../shared/remote.ts";
import type { Asked } from "./client-http.ts";
import type { Launch, RunRequest } from "./launch.ts";

type Managed = "list" | "get" | "remove" | "artifacts" | "artifactUrl" | "usage" | "me" | "repositories";

export interface Client extends Pick<CloudManagement, Managed> {
  readonly version: "v0" | "v1";
  create(launch: Launch, how: How): Promise<Started>;
  /** Sends a further prompt. `before`: the last run until then, if known. */
  startRun(id: string, request: RunRequest, how: How & { readonly before: string | undefined }): Promise<RunInfo>;
  latestRun(id: string, how?: How): Promise<RunInfo | undefined>;
  run(id: string, runId: string, how?: How): Promise<RunInfo>;
  /** Returns false when the run had already ended. */
  cancel(id: string, runId: string, how?: How): Promise<boolean>;
  runUsage(id: string, runId: string, how?: How): Promise<CloudRunUsage | undefined>;
  archive(id: string, archived: boolean): Promise<void>;
  models(): Promise<readonly (ModelInfo & { readonly aliases?: readonly string[] })[]>;
  /** Oldest first. */
  runs(id: string): Promise<readonly RunInfo[]>;
}

export type How = Pick<Asked, "signal" | "waiting" | "onRetry">;

export interface Started {
  readonly agent: CloudAgent;
  readonly run: RunInfo;
}

export interface RunInfo {
  readonly id: string;
  readonly status: string;
  readonly createdAt?: string | undefined;
  /** The last message, once the run has ended. */
  readonly result?: string | undefined;
  readonly error?: { readonly code?: string | undefined; readonly message?: string | undefined } | undefined;
  readonly branches: readonly CloudBranch[];
}

/** A run with an unknown status counts as running. */
const endings: ReadonlySet<string> = new Set(["FINISHED", "ERROR", "CANCELLED", "EXPIRED", "STOPPED", "FAILED"]);

export const isOver = (status: string): boolean => endings.has(status.toUpperCase());
