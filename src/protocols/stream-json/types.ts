import type { AgentEvent } from "../../events/types.ts";
import type { Child, Exit } from "../../process/types.ts";

/** Something the agent asks of us over the wire: may this tool run, run this hook. */
export interface WireRequest {
  readonly id: string;
  readonly subtype: string;
  /** The whole request, unchecked. */
  readonly body: Readonly<Record<string, unknown>>;
}

type Message = Readonly<Record<string, unknown>>;

/** How a program that has other words for requests and answers says them; without one they are control messages. */
export interface Dialect {
  /** The control message that this one is; undefined when it is neither a request nor an answer. Must not throw. */
  readonly fromWire: (message: Message) => Message | undefined;
  /** A control message of ours (`control_request`, `control_response`) as the program wants it. */
  readonly toWire: (message: Message) => object;
}

export interface StreamJsonOptions {
  readonly child: Child;
  /** The agent's name for people, in error messages and notices. */
  readonly name: string;
  /** The agent's id, in errors. */
  readonly agent: string;
  readonly dialect?: Dialect | undefined;
  /** How long an answer to one of our requests may take. */
  readonly requestMs: number;
  /** How long answers may still lie in the pipe of a process that is gone. */
  readonly drainMs: number;
  /** Every message but requests and answers; a line that is no JSON comes as the text it is. Must not throw. */
  readonly translate: (message: unknown) => readonly AgentEvent[];
  /** The agent asks; it waits until `respond` or `refuse`. Must not throw. */
  readonly onRequest: (request: WireRequest) => readonly AgentEvent[];
  /** The agent no longer wants an answer; `message` is how it said so. */
  readonly onWithdrawn: (requestId: string, message: Message) => readonly AgentEvent[];
  /** The last word: the process is gone. */
  readonly onExit: (exit: Exit, stderrTail: string) => readonly AgentEvent[];
}

/** One persistent process that speaks NDJSON in both directions. */
export interface StreamJson {
  /** One stream for the life of the process, to be read once. Not reading it pauses the agent, and then nothing is answered either. */
  readonly events: AsyncIterable<readonly AgentEvent[]>;
  send(message: object): Promise<void>;
  /** Puts events into the stream that come from elsewhere than the wire. */
  say(events: readonly AgentEvent[]): void;
  /** Asks the agent and gives its answer. Somebody must be reading `events`, or be in `readUntil`. */
  request(subtype: string, payload?: object, deadlineMs?: number): Promise<unknown>;
  /** Answers a request of the agent's; false when it is unknown, withdrawn or answered already. */
  respond(requestId: string, response: object): boolean;
  /** Answers it with an error. */
  refuse(requestId: string, error: string): boolean;
  /** Reads before anybody else does, until the promise settles; the events are kept for the reader of `events`. */
  readUntil<Value>(promise: Promise<Value>): Promise<Value>;
}
