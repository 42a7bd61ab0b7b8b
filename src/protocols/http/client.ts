import { longestMs } from "../../events/deadlines.ts";
import { isReinsError } from "../../events/errors.ts";
import type { Classify } from "../failure.ts";
import { parseJson } from "../json.ts";
import { refused, tooLate, tooLong, unreachable } from "./errors.ts";

export interface HttpRequest {
  readonly method: string;
  /** Includes the query. */
  readonly path: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly deadlineMs: number;
  readonly signal?: AbortSignal | undefined;
}

export interface HttpAnswer {
  readonly status: number;
  readonly headers: Headers;
  /** Parsed if it is JSON; undefined for an empty body. */
  readonly body: unknown;
}

/** Returns the body of a successful answer. Throws a ReinsError otherwise. */
export async function request(options: HttpOptions, asked: HttpRequest): Promise<unknown> {
  return (await exchange(options, asked)).body;
}

/** Returns a successful answer or a 304. Throws a ReinsError otherwise. */
export async function exchange(options: HttpOptions, asked: HttpRequest): Promise<HttpAnswer> {
  const what = `${asked.method} ${asked.path.replace(/\?.*$/s, "")}`;
  const deadline = AbortSignal.timeout(Math.min(asked.deadlineMs, longestMs));
  const signal = asked.signal === undefined ? deadline : AbortSignal.any([deadline, asked.signal]);
  const json = asked.body === undefined ? undefined : JSON.stringify(asked.body);
  try {
    const response = await (options.fetch ?? fetch)(new URL(asked.path, options.url), {
      method: asked.method,
      headers: {
        accept: "application/json",
        ...(json && { "content-type": "application/json" }),
        ...options.headers,
        ...asked.headers,
      },
      signal,
      // Following a redirect would send the password along.
      redirect: "error",
      ...(json === undefined ? {} : { body: json }),
    });
    const text = await textOf(response, options.maxBytes);
    if (text === undefined) throw tooLong(options, what, options.maxBytes);
    const { status, headers } = response;
    const body = parsed(text);
    if (response.ok || status === 304) return { status, headers, body };
    throw refused(options, what, { status, body, retryAfter: headers.get("retry-after") ?? undefined });
  } catch (error) {
    if (deadline.aborted) throw tooLate(options, what, asked.deadlineMs);
    if (asked.signal?.aborted === true || isReinsError(error)) throw error;
    throw unreachable(options, what, error);
  }
}

async function textOf(response: Response, maxBytes: number): Promise<string | undefined> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of response.body ?? []) {
    bytes += part.length;
    if (bytes > maxBytes) return undefined;
    parts.push(part);
  }
  return Buffer.concat(parts).toString("utf8");
}

/** Returns text that is not JSON unchanged. */
export function parsed(text: string): unknown {
  return text === "" ? undefined : parseJson(text, text);
}

export interface HttpOptions {
  /** The root of the server: `http://127.0.0.1:4096`. */
  readonly url: string;
  /** Sent with every request, such as `authorization`. Never part of an error. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Default: the global `fetch`. */
  readonly fetch?: typeof fetch | undefined;
  /** The agent's display name, for error messages. */
  readonly name: string;
  readonly agent: string;
  /** Classifies an unsuccessful answer. */
  readonly classify: Classify;
  /** Maximum bytes of one answer, and of one line of a stream. */
  readonly maxBytes: number;
}

export interface ServerEvent {
  /** Default: `message`. */
  readonly type: string;
  readonly data: string;
  /** The last id received, from this event or an earlier one. */
  readonly id: string;
}
