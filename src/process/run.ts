/** A short command to its end: a version, a status. */
import type { Redactor } from "../events/redact.ts";
import type { Running } from "./running.ts";
import type { Exit, Output } from "./types.ts";

/** More than this of its output is read and left out. */
const keptBytes = 1024 * 1024;

export async function runToEnd(running: Running, deadlineMs: number, redact: Redactor): Promise<Output> {
  const kept: Buffer[] = [];
  const late = Promise.withResolvers<void>();
  let timedOut = false;
  const timer = setTimeout(() => {
    timedOut = true;
    late.resolve();
  }, deadlineMs);
  const finished = collect(running.stdout, kept).then(() => running.cleared);
  const exit: Exit = await Promise.race([finished, late.promise.then(() => running.stop(false))]);
  clearTimeout(timer);
  return { ...exit, stdout: Buffer.concat(kept).toString(), stderr: running.stderr.text(redact), timedOut };
}

async function collect(chunks: AsyncIterable<Buffer>, kept: Buffer[]): Promise<void> {
  let bytes = 0;
  for await (const chunk of chunks) {
    if (bytes < keptBytes) kept.push(chunk.subarray(0, keptBytes - bytes));
    bytes += chunk.length;
  }
}
