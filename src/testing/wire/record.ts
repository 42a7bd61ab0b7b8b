/** Records what goes over the wire of every child, without its secrets. */
import { closeSync, mkdirSync, openSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import type { Redactor } from "../../events/redact.ts";
import type { Child, LaunchSpec, LineBatch, Processes } from "../../process/types.ts";
import { lineEntry, metaPath, type WireEntry, type WireMeta } from "./recording.ts";

export interface RecordOptions {
  /** Where the recordings go: `01-<agent>.ndjson` and so on, one a child. */
  readonly folder: string;
  readonly redact: Redactor;
  /** Called for every child with what puts a mark into its recording: a replay waits there until it is released. */
  readonly onChild?: ((mark: (name: string) => void) => void) | undefined;
}

/** The same processes, with every launched child recorded. Short commands (`run`) are not. */
export function recordWire(processes: Processes, options: RecordOptions): Processes {
  let children = 0;
  mkdirSync(options.folder, { recursive: true });
  return {
    async launch(spec) {
      const child = await processes.launch(spec);
      const file = join(options.folder, `${String(++children).padStart(2, "0")}-${spec.agent}.ndjson`);
      return recorded(child, spec, file, options);
    },
    run: (spec, deadlineMs) => processes.run(spec, deadlineMs),
    reap: () => processes.reap(),
    close: () => processes.close(),
  };
}

function recorded(child: Child, spec: LaunchSpec, file: string, { redact, onChild }: RecordOptions): Child {
  const started = performance.now();
  const fd = openSync(file, "wx", 0o600);
  let open = true;
  const note = (entry: WireEntry): void => {
    // Written at once, so that a crash loses nothing; a line that comes after the end has no place to go.
    if (open) writeSync(fd, JSON.stringify(redact.deep(entry)) + "\n");
  };
  const now = () => Math.round(performance.now() - started);
  const noteLine = (dir: "in" | "out", line: string) => note(lineEntry(now(), dir, line));

  onChild?.((name) => note({ t: now(), dir: "mark", mark: name }));

  const finish = async (): Promise<void> => {
    const { code, signal } = await child.exited;
    const meta: WireMeta = { args: spec.args, code, signal, stderr: child.stderrTail() };
    writeFileSync(metaPath(file), JSON.stringify(redact.deep(meta), null, 1), { mode: 0o600 });
  };
  // A recording whose folder is already gone is wanted by nobody.
  finish().catch(() => undefined);

  let unfinished = "";
  async function* lines(): AsyncGenerator<LineBatch> {
    try {
      for await (const batch of child.lines) {
        for (const line of batch.lines) noteLine("out", line);
        yield batch;
      }
    } finally {
      open = false;
      closeSync(fd);
    }
  }
  return {
    pid: child.pid,
    lines: lines(),
    write(text) {
      const parts = (unfinished + text).split("\n");
      unfinished = parts.pop() ?? "";
      for (const line of parts) noteLine("in", line);
      return child.write(text);
    },
    closeStdin() {
      note({ t: now(), dir: "in", eof: true });
      child.closeStdin();
    },
    stderrTail: () => child.stderrTail(),
    exited: child.exited,
    stop: (options) => child.stop(options),
  };
}
