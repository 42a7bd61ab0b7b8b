/** What a turn tells, and whom it asks: print mode prints and asks nobody, ACP has a client. */
import type { LoopCall, ModelError, ToolResult } from "../agent-loop/index.ts";

/** One use of a tool. */
export interface Use {
  /** Two ids with a newline between them, as its service hands them out. */
  readonly id: string;
  readonly call: LoopCall;
  readonly modelCallId: string;
  readonly startedAt: number;
  /** By a subagent: of what it does nothing is told. */
  readonly nested: boolean;
}

export type Fate =
  | { readonly kind: "done"; readonly result: ToolResult }
  | { readonly kind: "rejected"; readonly reason: string }
  /** A hook said no. */
  | { readonly kind: "blocked"; readonly message: string };

export interface Channel {
  thought(piece: string): void;
  thoughtEnded(): void;
  text(piece: string): void;
  /** A stretch of text is whole; `last`: nothing follows it. */
  textEnded(text: string, modelCallId: string, last: boolean): void;
  started(use: Use): void;
  /** It may run, and does now. */
  running(use: Use): void;
  finished(use: Use, fate: Fate): void | Promise<void>;
  /** Whether it may run, where no rule says. */
  approves(use: Use): Promise<boolean>;
  /** Both tell of the end of the use too. */
  question(use: Use): Promise<Fate>;
  plan(use: Use): Promise<Fate>;
  retrying(attempt: number, error: ModelError): void;
  /** Something in the background has ended. */
  notified(id: string, words: string): void;
}
