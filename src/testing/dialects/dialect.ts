/** What the scripted model needs to know about a wire. Another one is another file in this folder and a line in `index.ts`. */
import type { ServerResponse } from "node:http";
import type { Item } from "../conversation.ts";
import type { Limit, Stop, Usage } from "../scenario.ts";

export interface Dialect {
  /** Whose request this is; undefined: not this wire's. */
  route(method: string, path: string): Route | undefined;
  /** Takes a request for an answer apart; throws a ReinsError (`invalid_input`) when it is none. */
  read(body: unknown): ModelRequest;
  /** Begins an answer; nothing is sent before its first piece. */
  answer(response: ServerResponse, request: ModelRequest, settings: AnswerSettings): AnswerWriter;
  /** The body of an HTTP error. */
  errorBody(status: number, message: string, type?: string): unknown;
  limitHeaders(limit: Limit, now: number): Record<string, string>;
}

export type Route =
  | { readonly kind: "answer" }
  | { readonly kind: "count" | "models" | "hello"; readonly reply: (bytes: number) => unknown };

export interface ModelRequest {
  readonly model: string;
  readonly stream: boolean;
  readonly items: readonly Item[];
  /** Tells conversations with the same words apart, where the wire does. */
  readonly conversation: string | undefined;
  /** A request of the agent's own that wants JSON of this shape. */
  readonly sideSchema: unknown;
}

export interface AnswerSettings {
  readonly headers: Readonly<Record<string, string>>;
  readonly usage: Required<Usage>;
}

/** Writes one answer. Each call settles when the connection has taken it. */
export interface AnswerWriter {
  text(piece: string): Promise<void>;
  think(piece: string): Promise<void>;
  /** `pieces`: the input as JSON, in the pieces it is sent in. */
  call(name: string, input: unknown, pieces: readonly string[]): Promise<void>;
  /** An error inside the answer ends it; false where the wire has no inside. */
  midError(type: string, message: string): Promise<boolean>;
  finish(stop: Stop): Promise<void>;
}
