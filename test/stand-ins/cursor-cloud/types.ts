/** The data of the stand-in service: agents and their runs. */
import type { ChatMessage, Fields, Usage } from "../agent-loop/index.ts";

export interface StreamEvent {
  /** Empty for the framing event, which every connection sends again. */
  readonly id: string;
  readonly type: string;
  readonly data: object;
}

export interface RunRecord {
  readonly id: string;
  readonly createdAt: string;
  readonly events: StreamEvent[];
  readonly listeners: Set<() => void>;
  readonly abort: AbortController;
  status: "CREATING" | "RUNNING" | "FINISHED" | "ERROR" | "CANCELLED" | "EXPIRED";
  updatedAt: string;
  result: string | undefined;
  error: { code: string; message: string } | undefined;
  usage: Usage;
  durationMs: number | undefined;
  done: Promise<void>;
}

export interface AgentRecord {
  readonly id: string;
  readonly name: string;
  readonly createdAt: string;
  readonly repos: readonly Fields[];
  /** The body of the request that created it. */
  readonly asked: Fields;
  readonly messages: ChatMessage[];
  readonly runs: RunRecord[];
  updatedAt: string;
  archived: boolean;
  mode: string;
  model: string;
  mcpServers: readonly Fields[];
}

export interface World {
  readonly modelUrl: string;
  /** Every agent works in this folder. */
  readonly cwd: string;
}
