/** How a turn reports and asks: print mode prints and asks nobody, ACP has a client. */
import type { LoopCall, ModelError, ToolResult } from "../agent-loop/index.ts";

export interface Use {
  /** Two ids with a newline between them, as the service creates them. */
  readonly id: string;
  readonly call: LoopCall;
  readonly modelCallId: string;
  readonly startedAt: number;
  /** The call of a subagent, which is not reported. */
  readonly nested: boolean;
}

export type UseOutcome =
  | { readonly kind: "done"; readonly result: ToolResult }
  | { readonly kind: "rejected"; readonly reason: string }
  | { readonly kind: "blocked"; readonly message: string };

export interface Channel {
  thought(piece: string): void;
  thoughtEnded(): void;
  text(piece: string): void;
  /** A text block is complete; `last`: nothing follows. */
  textEnded(text: string, modelCallId: string, last: boolean): void;
  started(use: Use): void;
  /** The call was permitted and runs now. */
  running(use: Use): void;
  finished(use: Use, outcome: UseOutcome): void | Promise<void>;
  /** Decides whether the call may run when no rule does. */
  approves(use: Use): Promise<boolean>;
  /** Both also report the end of the call. */
  question(use: Use): Promise<UseOutcome>;
  plan(use: Use): Promise<UseOutcome>;
  retrying(attempt: number, error: ModelError): void;
  notified(id: string, words: string): void;
}
