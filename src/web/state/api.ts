/** Calls of the API. Who asks is known by the cookie. */
import type { ErrorAnswer } from "../../server/schemas/error.ts";

export type Method = "GET" | "POST" | "PATCH" | "DELETE";

/** Whatever went wrong, as the server told it or as the page noticed it. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  readonly help: string | undefined;
  readonly resetsAt: string | undefined;

  constructor(status: number, error: Partial<ErrorAnswer["error"]> & { readonly message: string }) {
    super(error.message);
    this.status = status;
    this.code = error.code ?? "network";
    this.help = error.help;
    this.resetsAt = error.resetsAt;
  }
}

export interface CallOptions {
  /** The same key again is the same request. */
  readonly key?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** `path` is from `/api/` on: `call("GET", "/api/agents")`. */
export async function call<Answer = unknown>(
  method: Method,
  path: string,
  body?: unknown,
  { key, signal }: CallOptions = {},
): Promise<Answer> {
  const headers: Record<string, string> = { accept: "application/json" };
  if (method !== "GET") headers["content-type"] = "application/json";
  if (key !== undefined) headers["idempotency-key"] = key;
  const sent = body === undefined ? (method === "POST" ? "{}" : undefined) : JSON.stringify(body);
  return answerOf<Answer>(
    await reach(path, { method, headers, ...(sent !== undefined && { body: sent }), ...(signal && { signal }) }),
  );
}

/** A file's bytes as they are. */
export async function upload<Answer>(file: Blob, name: string): Promise<Answer> {
  const type = file.type === "" || file.type === "text/plain" ? "application/octet-stream" : file.type;
  return answerOf<Answer>(
    await reach(`/api/uploads?name=${encodeURIComponent(name.slice(0, 200) || "file")}`, {
      method: "POST",
      headers: { "content-type": type },
      body: file,
    }),
  );
}

async function reach(path: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(path, { ...init, credentials: "same-origin", cache: "no-store" });
  } catch (thrown) {
    if (init.signal?.aborted === true) throw thrown;
    throw new ApiError(0, {
      message: "The server cannot be reached.",
      help: "See whether `reins serve` still runs; the page connects again by itself.",
    });
  }
}

async function answerOf<Answer>(response: Response): Promise<Answer> {
  const isJson = response.headers.get("content-type")?.startsWith("application/json") === true;
  const body: unknown = isJson ? await response.json().catch(() => undefined) : await response.text();
  if (response.ok) return body as Answer;
  const { error } = (typeof body === "object" && body !== null ? body : {}) as Partial<ErrorAnswer>;
  throw new ApiError(response.status, error ?? { message: `The server answered with ${response.status}.` });
}

/** In one sentence, with what to do next where that is known. */
export function sentenceOf(thrown: unknown): string {
  // What is to be typed stands between backticks, which only a terminal's reader knows.
  if (thrown instanceof ApiError)
    return [thrown.message, thrown.help?.replaceAll("`", "")].filter((part) => part !== undefined).join(" ");
  return thrown instanceof Error ? thrown.message : String(thrown);
}
