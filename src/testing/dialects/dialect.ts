/** The interface of a wire format that the scripted model speaks. To add a format, add a file here and a line in `index.ts`. */
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import type { IncomingHttpHeaders, ServerResponse } from "node:http";
import { setImmediate as nextRound } from "node:timers/promises";
import type { SpelledToolCall } from "../../agents/contract.ts";
import { ReinsError } from "../../events/errors.ts";
import { list, record } from "../../protocols/json.ts";
import type { Item } from "../conversation.ts";
import type { Limit, Meaning, Stop, Usage } from "../scenario.ts";

export interface Dialect {
  /** Identifies the request; undefined if it does not belong to this format. */
  route(call: Call): Route | undefined;
  /** Writes a streamed answer. Sends nothing before the first piece. */
  stream(response: ServerResponse, request: ModelRequest, settings: AnswerSettings): StreamWriter;
  whole(parts: readonly Part[], stop: Stop, request: ModelRequest, settings: AnswerSettings): object;
  readonly idHeader?: string;
  error(failure: Failure): ServiceError;
  /** Headers that report a plan's usage; undefined if the service has none. */
  limitHeaders?(limit: Limit, now: number): Record<string, string>;
}

/** A request, before its body is read. */
export interface Call {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
}

export type Route =
  /** `read` parses a body; throws a ReinsError (`invalid_input`) if the body asks for no answer. */
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
  readonly instructions: string;
  readonly items: readonly Item[];
  /** Distinguishes conversations with the same text, if the wire has an id. */
  readonly conversation: string | undefined;
  /** Set for a request of the agent's own, such as a title: it expects JSON of this schema, or plain words. */
  readonly side: { readonly schema: unknown } | "words" | undefined;
  /** Usage is part of a stream only if the request asks for it. */
  readonly silentUsage?: boolean;
}

export interface AnswerSettings {
  readonly headers: Readonly<Record<string, string>>;
  readonly usage: Required<Usage>;
}

export interface Failure {
  readonly status: number;
  /** Overrides the status, because the same failure has different statuses at different services. */
  readonly meaning?: Meaning | undefined;
  /** The service's name of the error. Default: the usual name. */
  readonly type?: string | undefined;
  readonly message?: string | undefined;
  readonly retryAfterSeconds?: number | undefined;
  /** The plan's limit, if that is what failed. */
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
  /** `pieces`: the serialised input, in the pieces to send. */
  call(call: SpelledToolCall, pieces: readonly string[]): Promise<void>;
  /** Ends the answer with an error; returns false if the format cannot carry one. Without arguments the error is overload. */
  midError(type: string | undefined, message: string | undefined): Promise<boolean>;
  finish(stop: Stop): Promise<void>;
}

/** A streamed answer. `beginAnswer` sends the headers, calls `begin` before the first piece, and ends the response. */
export interface StreamWriter extends Omit<AnswerWriter, "midError"> {
  begin?(): Promise<void>;
  midError(type: string | undefined, message: string | undefined): Promise<void>;
}

export type Part =
  | { readonly kind: "text" | "thought"; text: string }
  | { readonly kind: "call"; readonly call: SpelledToolCall; readonly spelled: string };

export function beginAnswer(
  dialect: Dialect,
  response: ServerResponse,
  request: ModelRequest,
  settings: AnswerSettings,
): AnswerWriter {
  const id = dialect.idHeader === undefined ? {} : { [dialect.idHeader]: newId("req_") };
  const headers = { ...id, ...settings.headers };
  if (request.stream) return streamed(response, headers, dialect.stream(response, request, settings));
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

function streamed(response: ServerResponse, headers: Headers, writer: StreamWriter): AnswerWriter {
  const usual = { "content-type": "text/event-stream; charset=utf-8", "cache-control": "no-cache" };
  const begin = async () => {
    if (response.headersSent) return;
    response.writeHead(200, { ...usual, ...headers });
    await writer.begin?.();
  };
  return {
    text: (piece) => begin().then(() => writer.text(piece)),
    think: (piece) => begin().then(() => writer.think(piece)),
    call: (call, pieces) => begin().then(() => writer.call(call, pieces)),
    async midError(type, message) {
      await begin();
      await writer.midError(type, message);
      response.end();
      return true;
    },
    async finish(stop) {
      await begin();
      await writer.finish(stop);
      response.end();
    },
  };
}

/** Joins all text of a kind, for formats that keep it in one field. */
export const joined = (parts: readonly Part[], kind: "text" | "thought"): string =>
  parts.map((part) => (part.kind === kind ? part.text : "")).join("");

export const asText = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined);

/** The parts of a message, whose content may also be a plain string. */
export const partsOf = (content: unknown, type = "text"): readonly unknown[] =>
  typeof content === "string" ? [{ type, text: content }] : list(content);

export const textOf = (part: unknown): string[] => {
  const { text } = record(part);
  return typeof text === "string" ? [text] : [];
};

/** Returns the list that holds the conversation; throws if there is none. */
export function conversationIn(body: unknown, name: string): readonly unknown[] {
  const value = record(body)[name];
  if (!Array.isArray(value)) throw new ReinsError("invalid_input", `The request has no list of ${name}.`);
  return value;
}

type Headers = Readonly<Record<string, string>>;

export function sendJson(response: ServerResponse, status: number, body: unknown, headers: Headers = {}): void {
  response.writeHead(status, { "content-type": "application/json", ...headers });
  response.end(JSON.stringify(body));
}

/** Writes and, while the connection is full, waits until it drains or closes. */
export async function write(response: ServerResponse, text: string): Promise<void> {
  if (response.destroyed || response.write(text)) return;
  const gone = new AbortController();
  const onClose = () => gone.abort();
  response.once("close", onClose);
  try {
    await once(response, "drain", { signal: gone.signal });
  } catch {
    // The client disconnected; the player of the answer notices that itself.
  } finally {
    response.off("close", onClose);
  }
}

/** Ends the connection without ending the answer. Waits for earlier output first, because Node holds small writes back for a moment. */
export async function cutOff(response: ServerResponse): Promise<void> {
  await nextRound();
  response.socket?.destroySoon();
}

export const newId = (prefix: string): string => prefix + randomBytes(12).toString("hex");
