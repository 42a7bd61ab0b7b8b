/** A child with two ways of talking is one child: what comes the second way comes among its lines. */
import type { Beside, Child, LineBatch } from "./types.ts";

export function withBeside(child: Child, beside: Beside | undefined): Child {
  if (beside === undefined) return child;
  const said: string[] = [];
  let wake: (() => void) | undefined;
  beside.listen((line) => {
    said.push(line);
    wake?.();
  });

  async function* lines(): AsyncGenerator<LineBatch> {
    const own = child.lines[Symbol.asyncIterator]();
    let ahead: Promise<IteratorResult<LineBatch>> | undefined;
    for (;;) {
      if (said.length > 0) yield { lines: said.splice(0), overlong: 0 };
      ahead ??= own.next();
      const step = await Promise.race([ahead, new Promise<undefined>((resolve) => (wake = () => resolve(undefined)))]);
      if (step === undefined) continue;
      ahead = undefined;
      if (step.done === true) return;
      yield step.value;
    }
  }

  return {
    pid: child.pid,
    lines: lines(),
    // Whoever writes writes whole lines.
    write: (text) => (beside.take(text) ? Promise.resolve() : child.write(text)),
    closeStdin: () => child.closeStdin(),
    stderrTail: () => child.stderrTail(),
    exited: child.exited,
    stop: (options) => child.stop(options),
  };
}
