/** Streams that were recorded, by whomever: an agent's folder says which wires are its own, and translates them without a process. */
import type { AgentEvent } from "../events/types.ts";
import type { Exit } from "../process/types.ts";

/** What it was sent (`in`) or printed (`out`), in order. A line that is no JSON is a text. */
export interface RecordedMessage {
  readonly dir: "in" | "out";
  readonly message: unknown;
}

export interface RecordedStream {
  /** Where it worked, as far as that can be known. */
  readonly cwd: string;
  readonly messages: readonly RecordedMessage[];
}

export interface RecordedWire {
  /** For a person: `stream-json`, `ACP`. */
  readonly name: string;
  /** Whether a message can only be one of this wire. */
  recognizes(message: unknown): boolean;
  /** One translator for each conversation in it: as a rule there is one. */
  conversations(stream: RecordedStream): readonly RecordedTranslator[];
}

export interface RecordedTranslator {
  /** Whether a turn begins with this message. Where none does, the prompt came with the start of the program... */
  begins?(message: RecordedMessage): boolean;
  /** ... unless it tells by itself when a turn begins. */
  readonly unprompted?: true;
  /** A turn begins. */
  prompted?(): void;
  /** It was sent this. */
  sent?(message: unknown): void;
  /** It printed this. */
  said(message: unknown): readonly AgentEvent[];
  /** What it asked under this id was allowed. */
  allowed?(requestId: string): void;
  exited(exit: Exit, stderr: string): readonly AgentEvent[];
}
