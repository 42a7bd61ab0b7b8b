import type { AgentEvent } from "../../events/types.ts";
import type { Child, Exit } from "../../process/types.ts";
import type { JsonObject } from "../json.ts";
import type { OnAnswer, RequestError } from "../pending-requests.ts";

/** Receives events, in the order of the wire. */
export type Out = AgentEvent[];

/** A request of the agent, which waits until `respond` or `refuse`. */
export interface RpcRequest {
  /** Our own unique id: an agent may reuse its ids. */
  readonly id: string;
  readonly method: string;
  readonly params: unknown;
  readonly message: JsonObject;
}

export interface RequestOptions {
  /** Default: `requestMs`. `Infinity`: no deadline. */
  readonly deadlineMs?: number | undefined;
  readonly onAnswer?: OnAnswer | undefined;
}

export interface JsonRpcOptions {
  readonly child: Child;
  /** The agent's name for people, in error messages and notices. */
  readonly name: string;
  /** The agent's id, in errors. */
  readonly agent: string;
  /** Deadline of our requests. */
  readonly requestMs: number;
  /** How long answers may still be in the pipe of a process that has ended. */
  readonly drainMs: number;
  /** Whether messages say `"jsonrpc": "2.0"`. Default: true. */
  readonly versioned?: boolean | undefined;
  /** The notification by which either side withdraws a request. */
  readonly cancelMethod?: string | undefined;
  /** Must not throw, like the next three. */
  readonly onNotification: (method: string, params: unknown, message: JsonObject, out: Out) => void;
  readonly onRequest: (request: RpcRequest, out: Out) => void;
  readonly onWithdrawn?: ((requestId: string, out: Out) => void) | undefined;
  /** Called last. */
  readonly onExit: (exit: Exit, stderrTail: string, out: Out) => void;
}

/** One persistent process that speaks JSON-RPC, one message a line. */
export interface JsonRpc {
  /** One stream for the life of the process, to be read once. Not reading it pauses the agent and its answers. */
  readonly events: AsyncIterable<readonly AgentEvent[]>;
  notify(method: string, params?: object): Promise<void>;
  /** Needs a reader of `events` or a `readUntil`. A refusal is a `protocol_error`: see `refusalOf`. */
  request(method: string, params?: object, options?: RequestOptions): Promise<unknown>;
  /** Answers a request of the agent; false when it is unknown, withdrawn or answered already. */
  respond(requestId: string, result: unknown): boolean;
  refuse(requestId: string, error: RequestError): boolean;
  /** Withdraws a request without an answer, for agents with a message of their own for that. Returns its id, if it was waiting. */
  forget(wireId: unknown): string | undefined;
  /** Adds events of our own: before everything that was read as long as nobody reads, later before the next line. */
  say(...events: AgentEvent[]): void;
  /** Reads until the promise settles; the events are kept for the reader of `events`. */
  readUntil<Value>(promise: Promise<Value>): Promise<Value>;
}
