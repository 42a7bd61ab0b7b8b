/** One request and its answer, as JSON. */
import { longestMs } from "../../events/deadlines.ts";
import { refused, tooLate, tooLong, unreachable } from "./errors.ts";
import type { HttpOptions } from "./types.ts";

export interface HttpRequest {
  readonly method: string;
  /** From the root of the server, with its query. */
  readonly path: string;
  readonly body?: unknown;
  readonly deadlineMs: number;
  readonly signal?: AbortSignal | undefined;
}

/** The body of a good answer, parsed where it is JSON; undefined where there is none. Throws a ReinsError. */
export async function request(options: HttpOptions, asked: HttpRequest): Promise<unknown> {
  const what = `${asked.method} ${asked.path.replace(/\?.*$/s, "")}`;
  const deadline = AbortSignal.timeout(Math.min(asked.deadlineMs, longestMs));
  const signal = asked.signal === undefined ? deadline : AbortSignal.any([deadline, asked.signal]);
  const json = asked.body === undefined ? undefined : JSON.stringify(asked.body);
  try {
    const response = await (options.fetch ?? fetch)(new URL(asked.path, options.url), {
      method: asked.method,
      headers: { accept: "application/json", ...(json && { "content-type": "application/json" }), ...options.headers },
      signal,
      // It would take the password along to wherever it leads.
      redirect: "error",
      ...(json === undefined ? {} : { body: json }),
    });
    const text = await textOf(response, options.maxBytes);
    if (text === undefined) throw tooLong(options, what, options.maxBytes);
    if (!response.ok) throw refused(options, what, response.status, parsed(text));
    return parsed(text);
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

function parsed(text: string): unknown {
  if (text === "") return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
