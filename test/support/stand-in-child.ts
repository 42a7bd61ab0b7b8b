/** A fake child process: a test decides what it prints and reads what it received. */
import type { Child, Exit, LineBatch } from "../../src/process/types.ts";

/** A message it received, as tests inspect it. */
export interface ReceivedMessage {
  readonly [key: string]: unknown;
  readonly type?: string;
  readonly request_id?: string;
  readonly request?: { readonly [key: string]: unknown };
  readonly response?: { readonly [key: string]: unknown; readonly response?: { readonly [key: string]: unknown } };
}

export class StandInChild implements Child {
  readonly pid = 4242;
  readonly received: ReceivedMessage[] = [];
  readonly exited: Promise<Exit>;
  stdinClosed = false;
  stopped = 0;
  stderr = "";
  /** How many batches were read. */
  taken = 0;
  readonly #exit = Promise.withResolvers<Exit>();
  readonly #batches: LineBatch[] = [];
  readonly #heard: {
    match: (message: ReceivedMessage) => boolean;
    resolve: (message: ReceivedMessage) => void;
  }[] = [];
  #wake = Promise.withResolvers<void>();
  #ended = false;

  constructor() {
    this.exited = this.#exit.promise;
  }

  /** Prints these lines together: objects as JSON, strings unchanged. */
  print(...lines: (object | string)[]): void {
    this.#push({ lines: lines.map((line) => (typeof line === "string" ? line : JSON.stringify(line))), overlong: 0 });
  }

  printOverlong(count: number): void {
    this.#push({ lines: [], overlong: count });
  }

  /** Exits; earlier output can still be read. */
  exit(exit: Partial<Exit> = {}): void {
    this.#ended = true;
    this.#exit.resolve({ code: exit.code ?? (exit.signal === undefined ? 0 : null), signal: exit.signal ?? null });
    this.#wake.resolve();
  }

  /** Resolves with the first matching message, past or future. */
  hears(match: (message: ReceivedMessage) => boolean): Promise<ReceivedMessage> {
    const found = this.received.find(match);
    if (found !== undefined) return Promise.resolve(found);
    return new Promise((resolve) => this.#heard.push({ match, resolve }));
  }

  readonly lines: AsyncIterable<LineBatch> = {
    [Symbol.asyncIterator]: () => ({
      next: async (): Promise<IteratorResult<LineBatch>> => {
        for (;;) {
          const batch = this.#batches.shift();
          if (batch !== undefined) {
            this.taken++;
            return { done: false, value: batch };
          }
          if (this.#ended) return { done: true, value: undefined };
          await this.#wake.promise;
          this.#wake = Promise.withResolvers<void>();
        }
      },
    }),
  };

  write(text: string): Promise<void> {
    for (const line of text.split("\n").filter((part) => part !== "")) {
      const message = JSON.parse(line) as ReceivedMessage;
      this.received.push(message);
      for (const waiter of this.#heard.filter(({ match }) => match(message))) {
        this.#heard.splice(this.#heard.indexOf(waiter), 1);
        waiter.resolve(message);
      }
    }
    return Promise.resolve();
  }

  closeStdin(): void {
    this.stdinClosed = true;
  }

  stderrTail(): string {
    return this.stderr;
  }

  stop(): Promise<Exit> {
    this.stopped++;
    this.exit({ signal: "SIGTERM" });
    return this.exited;
  }

  #push(batch: LineBatch): void {
    this.#batches.push(batch);
    this.#wake.resolve();
  }
}
