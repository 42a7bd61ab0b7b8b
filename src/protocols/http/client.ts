/** One request and its answer, as JSON. */
import { longestMs } from "../../events/deadlines.ts";
import type { Classify } from "../failure.ts";
import { refused, tooLate, tooLong, unreachable } from "./errors.ts";

export interface HttpRequest {
  readonly method: string;
  /** From the root of the server, with its query. */
  readonly path: string;
  readonly body?: unknown;
  /** Beside those of every request. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly deadlineMs: number;
  readonly signal?: AbortSignal | undefined;
}

export interface HttpAnswer {
  readonly status: number;
  readonly headers: Headers;
  /** Parsed where it is JSON; undefined where there is none. */
  readonly body: unknown;
}

/** The body of a good answer. Throws a ReinsError. */
export async function request(options: HttpOptions, asked: HttpRequest): Promise<unknown> {
  return (await exchange(options, asked)).body;
}

/** A good answer, or one that says that nothing has changed. Throws a ReinsError. */
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
      // It would take the password along to wherever it leads.
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
    if (asked.signal?.aborted === true || isOurs(error)) throw error;
    throw unreachable(options, what, error);
  }
}

const isOurs = (error: unknown): boolean => error instanceof Error && error.name === "ReinsError";

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

/** Text that is no JSON stays as it is. */
export function parsed(text: string): unknown {
  if (text === "") return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** What the parts of this driver agree on. */

export interface HttpOptions {
  /** Where everything is asked: `http://127.0.0.1:4096`. */
  readonly url: string;
  /** Sent with every request, such as `authorization`. They never stand in an error. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Instead of the global one. */
  readonly fetch?: typeof fetch | undefined;
  /** The agent's name for people, in error messages. */
  readonly name: string;
  /** The agent's id, in errors. */
  readonly agent: string;
  /** What a refusal means: the agent knows its server. */
  readonly classify: Classify;
  /** Bytes of one answer, and of one line of a stream. */
  readonly maxBytes: number;
}

/** One event of a stream. */
export interface ServerEvent {
  /** What the stream calls it; `message` where it says nothing. */
  readonly type: string;
  readonly data: string;
  /** The last id that was told, of this event or of one before it. */
  readonly id: string;
}
