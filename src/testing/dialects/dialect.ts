/** The interface of a wire that the scripted model speaks. Another wire is another file beside this one and a line in `index.ts`. */
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import type { IncomingHttpHeaders, ServerResponse } from "node:http";
import { setImmediate as nextRound } from "node:timers/promises";
import type { SpelledToolCall } from "../../agents/contract.ts";
import { ReinsError } from "../../events/errors.ts";
import type { Item } from "../conversation.ts";
import type { Limit, Meaning, Stop, Usage } from "../scenario.ts";

export interface Dialect {
  /** What is asked; undefined: not over this wire. */
  route(call: Call): Route | undefined;
  /** Begins a streamed answer; nothing is sent before its first piece. */
  stream(response: ServerResponse, request: ModelRequest, settings: AnswerSettings): AnswerWriter;
  /** The body of an answer in one piece. */
  whole(parts: readonly Part[], stop: Stop, request: ModelRequest, settings: AnswerSettings): object;
  /** The header with the id of an answer. */
  readonly idHeader?: string;
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

/** A part of an answer that is sent in one piece. */
export type Part =
  | { readonly kind: "text" | "thought"; text: string }
  | { readonly kind: "call"; readonly call: SpelledToolCall; readonly spelled: string };

/** Begins an answer, streamed or whole. */
export function beginAnswer(
  dialect: Dialect,
  response: ServerResponse,
  request: ModelRequest,
  settings: AnswerSettings,
): AnswerWriter {
  const id = dialect.idHeader === undefined ? {} : { [dialect.idHeader]: newId("req_") };
  const headers = { ...id, ...settings.headers };
  if (request.stream) return dialect.stream(response, request, { ...settings, headers });
  const parts: Part[] = [];
  const add = (kind: "text" | "thought") => async (piece: string) => {
    const last = parts.at(-1);
    if (last?.kind === kind) last.text += piece;
    else parts.push({ kind, text: piece });
  };
  return {
    text: add("text"),
    think: add("thought"),
    call: async (call, pieces) => void parts.push({ kind: "call", call, spelled: pieces.join("") }),
    midError: () => Promise.resolve(false),
    finish: async (stop) => sendJson(response, 200, dialect.whole(parts, stop, request, settings), headers),
  };
}

/** All text of a kind, for wires that keep it in one place. */
export const joined = (parts: readonly Part[], kind: "text" | "thought"): string =>
  parts.map((part) => (part.kind === kind ? part.text : "")).join("");

type Fields = Readonly<Record<string, unknown>>;

const isFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);

export const fields = (value: unknown): Fields => (isFields(value) ? value : {});
export const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
export const asText = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined);

/** The list a conversation is in; throws where there is none. */
export function conversationIn(body: unknown, name: string): readonly unknown[] {
  const value = fields(body)[name];
  if (!Array.isArray(value)) throw new ReinsError("invalid_input", `The request has no list of ${name}.`);
  return value;
}

type Headers = Readonly<Record<string, string>>;

export function sendJson(response: ServerResponse, status: number, body: unknown, headers: Headers = {}): void {
  response.writeHead(status, { "content-type": "application/json", ...headers });
  response.end(JSON.stringify(body));
}

/** Begins a stream of server-sent events. */
export function beginEvents(response: ServerResponse, headers: Headers): void {
  const usual = { "content-type": "text/event-stream; charset=utf-8", "cache-control": "no-cache" };
  response.writeHead(200, { ...usual, ...headers });
}

/** Writes and, when the connection is full, waits until it is not or is gone. */
export async function write(response: ServerResponse, text: string): Promise<void> {
  if (response.destroyed || response.write(text)) return;
  const gone = new AbortController();
  const onClose = () => gone.abort();
  response.once("close", onClose);
  try {
    await once(response, "drain", { signal: gone.signal });
  } catch {
    // The client left; whoever plays the answer sees that by itself.
  } finally {
    response.off("close", onClose);
  }
}

/** Ends the connection without ending the answer. What was said goes out first: Node holds small writes back for a moment. */
export async function cutOff(response: ServerResponse): Promise<void> {
  await nextRound();
  response.socket?.destroySoon();
}

export const newId = (prefix: string): string => prefix + randomBytes(12).toString("hex");
