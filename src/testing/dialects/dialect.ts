/** What the scripted model needs to know about a wire. Another one is another folder beside this file and a line in `index.ts`. */
import type { IncomingHttpHeaders, ServerResponse } from "node:http";
import type { SpelledToolCall } from "../../agents/contract.ts";
import type { Item } from "../conversation.ts";
import type { Limit, Meaning, Stop, Usage } from "../scenario.ts";

export interface Dialect {
  /** What is asked; undefined: not over this wire. */
  route(call: Call): Route | undefined;
  /** Begins an answer; nothing is sent before its first piece. */
  answer(response: ServerResponse, request: ModelRequest, settings: AnswerSettings): AnswerWriter;
  /** An HTTP error as the service would send it. */
  error(failure: Failure): ServiceError;
  /** What the headers say about a plan's allowance; undefined: the service tells nothing. */
  limitHeaders?(limit: Limit, now: number): Record<string, string>;
}

/** A request, before its body is looked at. */
export interface Call {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
}

export type Route =
  /** `read` takes a body apart; throws a ReinsError (`invalid_input`) when it asks for no answer. */
  | { readonly kind: "answer"; readonly read: (body: unknown) => ModelRequest }
  | {
      readonly kind: "count" | "models" | "hello";
      /** Default: 200. */
      readonly status?: number;
      readonly reply: (bytes: number) => unknown;
    };

export interface ModelRequest {
  readonly model: string;
  readonly stream: boolean;
  /** What the model is told to be. */
  readonly instructions: string;
  readonly items: readonly Item[];
  /** Tells conversations with the same words apart, where the wire does. */
  readonly conversation: string | undefined;
  /** A request of the agent's own, such as a title: what it wants is JSON of this shape, or words. */
  readonly side: { readonly schema: unknown } | "words" | undefined;
  /** The usage of a stream comes only when it is asked for. */
  readonly silentUsage?: boolean;
}

export interface AnswerSettings {
  readonly headers: Readonly<Record<string, string>>;
  readonly usage: Required<Usage>;
}

export interface Failure {
  readonly status: number;
  /** Wins over the status: the same trouble has another status elsewhere. */
  readonly meaning?: Meaning | undefined;
  /** The service's own name of it, else the usual one. */
  readonly type?: string | undefined;
  readonly message?: string | undefined;
  readonly retryAfterSeconds?: number | undefined;
  /** The plan's allowance, where it is what failed. */
  readonly limit?: Limit | undefined;
}

export interface ServiceError {
  readonly status: number;
  readonly body: unknown;
}

/** Writes one answer. Each call settles when the connection has taken it. */
export interface AnswerWriter {
  text(piece: string): Promise<void>;
  think(piece: string): Promise<void>;
  /** `pieces`: the input as it is spelled, in the pieces it is sent in. */
  call(call: SpelledToolCall, pieces: readonly string[]): Promise<void>;
  /** An error inside the answer ends it; false where the wire has no inside. Without words it is overload. */
  midError(type: string | undefined, message: string | undefined): Promise<boolean>;
  finish(stop: Stop): Promise<void>;
}
