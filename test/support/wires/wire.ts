/** What a test needs to talk to a scripted model as an agent of each kind does. */
import type { Proof, SpelledToolCall } from "../../../src/agents/contract.ts";
import type { ScriptedModel } from "../../../src/testing/index.ts";

/** One thing of a conversation, oldest first. */
export type Entry =
  | { readonly user: string; readonly images?: number }
  /** The model said something. */
  | { readonly model: string }
  /** The model called that many tools, and this came back. */
  | { readonly results: readonly string[] };

/** What came back, whatever wire it came over. */
export interface Heard {
  text: string;
  thought: string;
  readonly calls: SpelledToolCall[];
  /** As the wire spells it. */
  stop?: string | undefined;
  usage?: { input: number; output: number; cacheRead: number; thought?: number } | undefined;
  /** The words of an error inside the answer. */
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
  /** Reads a whole answer. */
  whole(body: string): Heard;
  /** Reads a stream, or as much of one as there is. */
  streamed(body: string): Heard;
  /** The words of an HTTP error. */
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

/** The data of server-sent events; what is cut off in its middle is left out. */
export const eventsIn = <T>(body: string): T[] =>
  body
    .split(/\r?\n\r?\n/)
    .slice(0, -1)
    // Not by regular expression: to one, U+2028 ends a line.
    .map((part) => part.slice(part.indexOf("data: ") + "data: ".length))
    .filter((data) => data !== "[DONE]")
    .map((data) => JSON.parse(data) as T);
