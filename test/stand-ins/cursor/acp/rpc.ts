/** JSON-RPC over stdio, one message per line. Its own requests are numbered from 0. */
import { createInterface } from "node:readline";
import { fieldsOf, parsed, textOf, type Fields } from "../../agent-loop/index.ts";
import { write } from "../output.ts";

export class RpcProblem extends Error {
  readonly code: number;
  readonly data: unknown;

  constructor(code: number, message: string, data?: unknown) {
    super(message);
    this.code = code;
    this.data = data;
  }
}

export const invalidParams = (message: string): RpcProblem => new RpcProblem(-32602, "Invalid params", { message });

export type Handler = (params: Fields) => unknown;

export class Rpc {
  readonly #waiting = new Map<number, { resolve: (value: Fields) => void; reject: (error: Error) => void }>();
  readonly #handlers: Readonly<Record<string, Handler>>;
  #last = 0;

  constructor(handlers: Readonly<Record<string, Handler>>) {
    this.#handlers = handlers;
  }

  async serve(): Promise<void> {
    for await (const line of createInterface({ input: process.stdin })) {
      const message = fieldsOf(parsed(line));
      if (typeof message["method"] === "string") void this.#answer(message["method"], message);
      else this.#answered(message);
    }
    for (const { reject } of this.#waiting.values()) reject(new Error("The client is gone."));
  }

  notify(method: string, params: object): void {
    this.#send({ method, params });
  }

  request(method: string, params: object): Promise<Fields> {
    const id = this.#last++;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.#send({ id, method, params });
    });
  }

  #answered({ id, result, error }: Fields): void {
    const waiting = typeof id === "number" ? this.#waiting.get(id) : undefined;
    if (waiting === undefined) return;
    this.#waiting.delete(id as number);
    if (error === undefined) waiting.resolve(fieldsOf(result));
    else waiting.reject(new Error(textOf(fieldsOf(error)["message"])));
  }

  async #answer(method: string, { id, params }: Fields): Promise<void> {
    try {
      const handler = this.#handlers[method];
      if (handler === undefined) throw new RpcProblem(-32601, `"Method not found": ${method}`, { method });
      const result = await handler(fieldsOf(params));
      if (id !== undefined) this.#send({ id, result: result ?? {} });
    } catch (thrown) {
      if (id === undefined) return;
      const { code, data } = thrown instanceof RpcProblem ? thrown : new RpcProblem(-32603, "", String(thrown));
      const message = thrown instanceof RpcProblem ? thrown.message : "Internal error";
      this.#send({ id, error: { code, message, ...(data === undefined ? {} : { data }) } });
    }
  }

  #send(message: object): void {
    write(1, `${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  }
}
