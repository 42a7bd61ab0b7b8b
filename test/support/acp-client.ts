/** A minimal ACP client: sends requests, keeps notifications, and answers the agent's requests. */
import type { ChildProcessWithoutNullStreams } from "node:child_process";
import { createInterface } from "node:readline";

type Message = Readonly<Record<string, unknown>>;
type Answer = (method: string, params: Message) => unknown;

export class AcpClient {
  readonly updates: Message[] = [];
  /** The agent's requests and notifications, except for updates. */
  readonly heard: { readonly method: string; readonly params: Message; readonly id: unknown }[] = [];
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #waiting = new Map<unknown, (message: Message) => void>();
  #told: () => void = () => {};
  #last = 0;

  constructor(child: ChildProcessWithoutNullStreams, answer: Answer = () => ({})) {
    this.#child = child;
    createInterface({ input: child.stdout }).on("line", (line) => {
      const message = JSON.parse(line) as Message;
      const { id, method, params } = message;
      if (method === "session/update") {
        this.updates.push((params as { update: Message }).update);
        this.#told();
      } else if (typeof method === "string") {
        this.heard.push({ id, method, params: params as Message });
        if (id !== undefined) this.#send({ id, result: answer(method, params as Message) });
      } else this.#waiting.get(id)?.(message);
    });
  }

  /** Resolves with the result or the error. */
  async request(method: string, params: object): Promise<Message> {
    const id = ++this.#last;
    const answered = new Promise<Message>((resolve) => this.#waiting.set(id, resolve));
    this.#send({ id, method, params });
    const { result, error } = await answered;
    return (result ?? { error }) as Message;
  }

  async when(matches: (update: Message) => boolean): Promise<void> {
    while (!this.updates.some(matches)) await new Promise<void>((resolve) => (this.#told = resolve));
  }

  notify(method: string, params: object): void {
    this.#send({ method, params });
  }

  #send(message: object): void {
    this.#child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  }
}
