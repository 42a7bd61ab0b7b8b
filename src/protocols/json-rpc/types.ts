import type { AgentEvent } from "../../events/types.ts";
import type { Child, Exit } from "../../process/types.ts";
import type { JsonObject } from "../json.ts";
import type { OnAnswer, RequestError } from "../pending-requests.ts";

/** Where events go, in the order of the wire. */
export type Out = AgentEvent[];

/** Something the agent asks of us; it waits until `respond` or `refuse`. */
export interface RpcRequest {
  /** Ours, and unique: an agent may use its own ids again. */
  readonly id: string;
  readonly method: string;
  readonly params: unknown;
  readonly message: JsonObject;
}

export interface RequestOptions {
  /** Instead of `requestMs`; `Infinity` for an answer that may take any time. */
  readonly deadlineMs?: number | undefined;
  readonly onAnswer?: OnAnswer | undefined;
}

export interface JsonRpcOptions {
  readonly child: Child;
  /** The agent's name for people, in error messages and notices. */
  readonly name: string;
  /** The agent's id, in errors. */
  readonly agent: string;
  /** How long an answer to one of our requests may take. */
  readonly requestMs: number;
  /** How long answers may still lie in the pipe of a process that is gone. */
  readonly drainMs: number;
  /** Whether messages say `"jsonrpc": "2.0"`. Default: true. */
  readonly versioned?: boolean | undefined;
  /** The notification by which either side takes a request back. Without it, nobody does. */
  readonly cancelMethod?: string | undefined;
  /** Must not throw, like the next three. */
  readonly onNotification: (method: string, params: unknown, message: JsonObject, out: Out) => void;
  readonly onRequest: (request: RpcRequest, out: Out) => void;
  /** The agent no longer wants an answer. */
  readonly onWithdrawn?: ((requestId: string, out: Out) => void) | undefined;
  /** The last word: the process is gone. */
  readonly onExit: (exit: Exit, stderrTail: string, out: Out) => void;
}

/** One persistent process that speaks JSON-RPC, one message a line. */
export interface JsonRpc {
  /** One stream for the life of the process, to be read once. Not reading it pauses the agent, and then nothing is answered either. */
  readonly events: AsyncIterable<readonly AgentEvent[]>;
  notify(method: string, params?: object): Promise<void>;
  /** Asks the agent. Somebody must be reading `events`, or be in `readUntil`. A refusal is a `protocol_error`: see `refusalOf`. */
  request(method: string, params?: object, options?: RequestOptions): Promise<unknown>;
  /** Answers a request of the agent's; false when it is unknown, withdrawn or answered already. */
  respond(requestId: string, result: unknown): boolean;
  /** Answers it with an error. */
  refuse(requestId: string, error: RequestError): boolean;
  /** For agents that take a request back by a message of their own: it gets no answer. Its id, if it was waiting. */
  forget(wireId: unknown): string | undefined;
  /** Adds events of our own: before all that was read, while nobody reads yet; else at once, before what is read next. */
  say(...events: AgentEvent[]): void;
  /** Reads before anybody else does, until the promise settles; the events are kept for the reader of `events`. */
  readUntil<Value>(promise: Promise<Value>): Promise<Value>;
}
