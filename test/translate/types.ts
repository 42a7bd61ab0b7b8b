/** Recorded streams: an agent's folder recognises its own and translates them without a process. */
import type { AgentEvent } from "../../src/events/types.ts";
import type { Exit } from "../../src/process/types.ts";

/** A message to (`in`) or from (`out`) the agent. A line that is no JSON is a text. */
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
  /** For people: `stream-json`, `ACP`. */
  readonly name: string;
  /** Whether a message can only be of this wire. */
  recognizes(message: unknown): boolean;
  /** One translator per conversation; mostly there is one. */
  conversations(stream: RecordedStream): readonly RecordedTranslator[];
}

export interface RecordedTranslator {
  /** Whether a turn begins with this message. Where none does, the prompt came with the start of the program. */
  begins?(message: RecordedMessage): boolean;
  /** The output itself tells when a turn begins. */
  readonly unprompted?: true;
  prompted?(): void;
  sent?(message: unknown): void;
  said(message: unknown): readonly AgentEvent[];
  /** The request with this id was allowed. */
  allowed?(requestId: string): void;
  exited(exit: Exit, stderr: string): readonly AgentEvent[];
}
