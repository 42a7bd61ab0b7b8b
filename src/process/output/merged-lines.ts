/** Merges the second channel of a child, such as HTTP, into its lines. */
import type { Child, LineBatch, SecondChannel } from "../types.ts";

export function mergeLines(child: Child, second: SecondChannel | undefined): Child {
  if (second === undefined) return child;
  const said: string[] = [];
  let wake: (() => void) | undefined;
  second.listen((line) => {
    said.push(line);
    wake?.();
  });

  async function* lines(): AsyncGenerator<LineBatch> {
    const own = new Ahead(child.lines);
    let stream = second?.lines === undefined ? undefined : new Ahead(second.lines);
    for (;;) {
      if (said.length > 0) yield { lines: said.splice(0), overlong: 0 };
      const woken = new Promise<undefined>((resolve) => (wake = () => resolve(undefined)));
      const from = await Promise.race([own.ready(), ...(stream === undefined ? [] : [stream.ready()]), woken]);
      const step = from?.take();
      if (step === undefined) continue;
      if (step.done !== true) yield step.value;
      // The exit of the process ends both; the stream of the channel may end earlier.
      else if (from === own) return;
      else stream = undefined;
    }
  }

  return {
    pid: child.pid,
    lines: lines(),
    write: (text) => (second.take(text) ? Promise.resolve() : child.write(text)),
    closeStdin: () => child.closeStdin(),
    stderrTail: () => child.stderrTail(),
    exited: child.exited,
    stop: (options) => child.stop(options),
  };
}

/** Holds the next batch of a stream, requested but not consumed yet. */
class Ahead {
  readonly #iterator: AsyncIterator<LineBatch>;
  #asked: Promise<this> | undefined;
  #step: IteratorResult<LineBatch> | undefined;

  constructor(lines: AsyncIterable<LineBatch>) {
    this.#iterator = lines[Symbol.asyncIterator]();
  }

  ready(): Promise<this> {
    this.#asked ??= this.#iterator.next().then((step) => {
      this.#step = step;
      return this;
    });
    return this.#asked;
  }

  take(): IteratorResult<LineBatch> | undefined {
    const step = this.#step;
    this.#step = undefined;
    this.#asked = undefined;
    return step;
  }
}
