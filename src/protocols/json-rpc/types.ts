import type { AgentEvent } from "../../events/types.ts";
import type { Child, Exit } from "../../process/types.ts";
import type { JsonObject } from "../json.ts";
import type { OnAnswer, RequestError } from "../pending-requests.ts";

/** Collects events in the order of the wire. */
export type Out = AgentEvent[];

/** A request of the agent, which waits until `respond` or `refuse`. */
export interface RpcRequest {
  /** Reins' own unique id, because an agent may reuse its ids. */
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
  /** The agent's display name, for error messages and notices. */
  readonly name: string;
  readonly agent: string;
  /** Deadline of Reins' requests. */
  readonly requestMs: number;
  /** How long answers may still be in the pipe of a process that has ended. */
  readonly drainMs: number;
  /** True if messages contain `"jsonrpc": "2.0"`. Default: true. */
  readonly versioned?: boolean | undefined;
  /** The notification with which either side withdraws a request. */
  readonly cancelMethod?: string | undefined;
  /** Must not throw, like the next three. */
  readonly onNotification: (method: string, params: unknown, message: JsonObject, out: Out) => void;
  readonly onRequest: (request: RpcRequest, out: Out) => void;
  readonly onWithdrawn?: ((requestId: string, out: Out) => void) | undefined;
  /** Called last. */
  readonly onExit: (exit: Exit, stderrTail: string, out: Out) => void;
}

/** A persistent process that speaks JSON-RPC, one message a line. */
export interface JsonRpc {
  /** A stream for the life of the process, to be read once. Not reading it pauses the agent and its answers. */
  readonly events: AsyncIterable<readonly AgentEvent[]>;
  notify(method: string, params?: object): Promise<void>;
  /** Someone must read `events`, or call `readUntil`, to receive the answer. A refusal is a `protocol_error`: see `refusalOf`. */
  request(method: string, params?: object, options?: RequestOptions): Promise<unknown>;
  /** Answers a request of the agent. Returns false when the request is unknown, withdrawn or already answered. */
  respond(requestId: string, result: unknown): boolean;
  refuse(requestId: string, error: RequestError): boolean;
  /**
   * Withdraws a request without an answer, for agents that have their own message for that. Returns Reins' id if the request was pending.
   */
  forget(wireId: unknown): string | undefined;
  /** Adds events of Reins: before all output read so far while there is no reader yet, later before the next line. */
  say(...events: AgentEvent[]): void;
  /** Reads until the promise settles; the events are kept for the reader of `events`. */
  readUntil<Value>(promise: Promise<Value>): Promise<Value>;
}
