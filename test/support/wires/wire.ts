/** Lets a test talk to a scripted model over each wire protocol. */
import type { Proof, SpelledToolCall } from "../../../src/agents/contract.ts";
import type { ScriptedModel } from "../../../src/testing/index.ts";

/** An entry of a conversation, oldest first. */
export type Entry =
  | { readonly user: string; readonly images?: number }
  /** A text of the model. */
  | { readonly model: string }
  /** The results of as many tool calls of the model. */
  | { readonly results: readonly string[] };

/** An answer, independent of its wire protocol. */
export interface Heard {
  text: string;
  thought: string;
  readonly calls: SpelledToolCall[];
  /** The stop reason in the wire's own spelling. */
  stop?: string | undefined;
  usage?: { input: number; output: number; cacheRead: number; thought?: number } | undefined;
  error?: string | undefined;
}

export const nothingHeard = (): Heard => ({ text: "", thought: "", calls: [] });

export interface Request {
  readonly path: string;
  readonly body: Readonly<Record<string, unknown>>;
}

export interface JsonObject {
  readonly speaks: Proof["speaks"];
  request(talk: readonly Entry[], stream: boolean): Request;
  whole(body: string): Heard;
  /** Reads a stream, or the part of it that arrived. */
  streamed(body: string): Heard;
  problem(body: string): string;
}

export function ask(
  model: ScriptedModel,
  { path, body }: Request,
  more: object = {},
  init: RequestInit = {},
): Promise<Response> {
  const headers = { "content-type": "application/json" };
  return fetch(model.url + path, { method: "POST", headers, body: JSON.stringify({ ...body, ...more }), ...init });
}

/** The data of server-sent events; an incomplete last event is left out. */
export const eventsIn = <T>(body: string): T[] =>
  body
    .split(/\r?\n\r?\n/)
    .slice(0, -1)
    // A regular expression would not do: it treats U+2028 as the end of a line.
    .map((part) => part.slice(part.indexOf("data: ") + "data: ".length))
    .filter((data) => data !== "[DONE]")
    .map((data) => JSON.parse(data) as T);
