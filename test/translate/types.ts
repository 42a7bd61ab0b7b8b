/** Recorded streams: an agent's folder recognises its own and translates them without a process. */
import type { AgentEvent } from "../../src/events/types.ts";
import type { Exit } from "../../src/process/types.ts";

/** A message to (`in`) or from (`out`) the agent. A line that is not JSON is a string. */
export interface RecordedMessage {
  readonly dir: "in" | "out";
  readonly message: unknown;
}

export interface RecordedStream {
  /** The workspace, as far as it is known. */
  readonly cwd: string;
  readonly messages: readonly RecordedMessage[];
}

export interface RecordedWire {
  /** Shown to people: `stream-json`, `ACP`. */
  readonly name: string;
  /** True when a message can only belong to this wire. */
  recognizes(message: unknown): boolean;
  /** Returns one translator per conversation; most streams have one. */
  conversations(stream: RecordedStream): readonly RecordedTranslator[];
}

export interface RecordedTranslator {
  /** True when a turn begins with this message. Without any, the prompt was given at the start of the program. */
  begins?(message: RecordedMessage): boolean;
  /** The output itself tells when a turn begins. */
  readonly unprompted?: true;
  prompted?(): void;
  sent?(message: unknown): void;
  said(message: unknown): readonly AgentEvent[];
  /** Called when the request with this id was allowed. */
  allowed?(requestId: string): void;
  exited(exit: Exit, stderr: string): readonly AgentEvent[];
}
