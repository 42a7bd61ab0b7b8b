/**
 * Presents the HTTP server of a child as lines of JSON-RPC: a request is a line to the child; the answer and each event of the stream are
 * lines from it. JSON-RPC code can then talk to an HTTP server unchanged, and a recording of the lines is complete.
 *
 *   > {"method":"http/connect","params":{"url":"http://127.0.0.1:4096"}}
 *   > {"id":1,"method":"POST /session","params":{...}}      < {"id":1,"result":{...}} or {"id":1,"error":{"code":404,"data":{...}}}
 *                                                           or, without an answer, {"id":1,"error":{"code":0,"data":{"code":"network"}}}
 *   > {"method":"http/listen","params":{"path":"/event"}}   < {"method":"http/listening"} and {"method":"event","params":{...}}, ...
 */
import { setTimeout as sleep } from "node:timers/promises";
import { errorInfo, toReinsError } from "../../events/errors.ts";
import type { LineBatch, SecondChannel } from "../../process/types.ts";
import { request, type HttpOptions } from "./client.ts";
import { httpRefusalOf } from "./errors.ts";
import { openStream, type StreamBatch } from "./stream.ts";

export interface HttpChannelOptions extends Omit<HttpOptions, "url"> {
  /** Deadline of every request; the caller may give up earlier. */
  readonly longestMs: number;
  readonly silenceMs: number;
  /** How long to wait for the exit of the child after its server became unreachable. */
  readonly goneMs: number;
}

interface Message {
  readonly id?: unknown;
  readonly method?: unknown;
  readonly params?: unknown;
}

const asked = /^(GET|POST|PUT|PATCH|DELETE) (\/.*)$/s;

export class HttpChannel implements SecondChannel {
  readonly lines: AsyncIterable<LineBatch>;
  readonly #options: HttpChannelOptions;
  readonly #ended = new AbortController();
  readonly #path = Promise.withResolvers<string>();
  #say: (line: string) => void = () => {};
  #url = "";

  constructor(options: HttpChannelOptions) {
    this.#options = options;
    this.lines = this.#stream();
  }

  listen(say: (line: string) => void): void {
    this.#say = say;
  }

  take(line: string): boolean {
    const { id, method, params } = JSON.parse(line) as Message;
    if (method === "http/connect") this.#url = String((params as { url?: unknown }).url);
    else if (method === "http/listen") this.#path.resolve(String((params as { path?: unknown }).path));
    else {
      const [, verb, path] = asked.exec(String(method)) ?? [];
      if (verb === undefined || path === undefined) return false;
      void this.#ask(id, verb, path, params);
    }
    return true;
  }

  end(): void {
    this.#ended.abort();
    this.#path.resolve("");
  }

  async #ask(id: unknown, method: string, path: string, body: unknown): Promise<void> {
    const { longestMs: deadlineMs } = this.#options;
    const { signal } = this.#ended;
    try {
      const result = await request({ ...this.#options, url: this.#url }, { method, path, body, deadlineMs, signal });
      this.#tell({ id, result: result ?? null });
    } catch (error) {
      // An unreachable server has usually just exited, and its exit explains more.
      if (toReinsError(error).code === "network")
        await sleep(this.#options.goneMs, undefined, { signal }).catch(() => undefined);
      if (signal.aborted) return;
      const refusal = httpRefusalOf(error);
      const { message, code } = toReinsError(error);
      // Without a status, Reins' own code distinguishes an unreachable server from an overlong answer.
      const data = refusal === undefined ? { code } : refusal.body;
      this.#tell({ id, error: { code: refusal?.status ?? 0, message, data } });
    }
  }

  async *#stream(): AsyncGenerator<LineBatch, void, undefined> {
    const path = await this.#path.promise;
    if (this.#ended.signal.aborted) return;
    try {
      for await (const batch of openStream({ ...this.#options, url: this.#url, path, signal: this.#ended.signal }))
        yield linesOf(batch);
    } catch (error) {
      yield { lines: [lineOf({ method: "http/lost", params: errorInfo(toReinsError(error)) })], overlong: 0 };
    }
  }

  #tell(message: object): void {
    this.#say(lineOf(message));
  }
}

function linesOf({ connected, events, overlong }: StreamBatch): LineBatch {
  const lines = events.map(({ data }) => `{"jsonrpc":"2.0","method":"event","params":${jsonOf(data)}}`);
  if (connected !== undefined) lines.unshift(lineOf({ method: "http/listening", params: { connected } }));
  return { lines, overlong };
}

const lineOf = (message: object): string => JSON.stringify({ jsonrpc: "2.0", ...message });

/** Passes JSON on one line through unparsed; the reader of the line parses it. */
function jsonOf(data: string): string {
  if (data.startsWith("{") && data.endsWith("}") && !data.includes("\n")) return data;
  return JSON.stringify({ text: data });
}
