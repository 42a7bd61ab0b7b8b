/** The terminal for a screen and an input reader: a process's stdin and stdout, or a terminal emulator in a test. */
import { StringDecoder } from "node:string_decoder";

export interface TerminalPort {
  readonly columns: number;
  readonly rows: number;
  write(data: string): void;
  /** Input as text; a character that is split between two reads arrives whole. Returns a function that removes the listener. */
  onData(listener: (data: string) => void): () => void;
  onResize(listener: () => void): () => void;
  /** Number of resizes. The terminal may have its old size again, but other rows on its screen. */
  readonly resizes: number;
  /** Calls the listener once when the terminal is gone: stdin ended, or stdin or stdout failed (EIO, EPIPE). */
  onClosed(listener: () => void): () => void;
  setRaw(on: boolean): void;
  /** Reads the size again. A stopped process is not told about resizes. */
  refreshSize(): void;
  /** Bytes that were written but not yet accepted by the terminal. */
  readonly pending: number;
  /** Resolves when `pending` is zero. */
  drained(): Promise<void>;
}

/** Assumed when the terminal does not report a size. */
const defaultSize = { columns: 80, rows: 24 };

/** The terminal of this process. Only one may be in use at a time. */
export function processPort({ stdin, stdout }: Pick<NodeJS.Process, "stdin" | "stdout">): TerminalPort {
  const decoder = new StringDecoder("utf8");
  const dataListeners = new Set<(data: string) => void>();
  const closedListeners = new Set<() => void>();
  const resizeListeners = new Set<() => void>();
  let closed = false;
  let resizes = 0;

  const close = (): void => {
    if (closed) return;
    closed = true;
    for (const listener of closedListeners) listener();
  };
  const read = (chunk: Buffer | string): void => {
    const text = typeof chunk === "string" ? chunk : decoder.write(chunk);
    if (text !== "") for (const listener of dataListeners) listener(text);
  };
  // Without a listener an EIO or EPIPE would be an uncaught exception that hides the reason for the end.
  stdout.on("error", close);
  stdin.on("error", close);
  stdin.on("end", close);
  // Not stdout's `resize` event: it does not fire when the size changed twice and is the old one again.
  process.on("SIGWINCH", () => {
    resizes += 1;
    for (const listener of resizeListeners) listener();
  });

  return {
    get columns() {
      return stdout.columns || defaultSize.columns;
    },
    get rows() {
      return stdout.rows || defaultSize.rows;
    },
    get pending() {
      return stdout.writableLength;
    },
    write: (data) => {
      if (!closed) stdout.write(data);
    },
    onData: (listener) => {
      if (dataListeners.size === 0) {
        stdin.on("data", read);
        stdin.resume();
      }
      dataListeners.add(listener);
      return () => {
        if (!dataListeners.delete(listener) || dataListeners.size > 0) return;
        stdin.off("data", read);
        stdin.pause();
      };
    },
    get resizes() {
      return resizes;
    },
    onResize: (listener) => {
      resizeListeners.add(listener);
      return () => resizeListeners.delete(listener);
    },
    onClosed: (listener) => {
      closedListeners.add(listener);
      return () => closedListeners.delete(listener);
    },
    setRaw: (on) => {
      if (!stdin.isTTY || stdin.destroyed) return;
      try {
        stdin.setRawMode(on);
      } catch {
        // The terminal was closed (EIO): there is no mode left to change.
        close();
      }
    },
    refreshSize: () => {
      // Node has no public way to read the size again; this is the function that its SIGWINCH handler calls.
      (stdout as { _refreshSize?: () => void })._refreshSize?.();
    },
    drained: () =>
      stdout.writableLength === 0 || closed
        ? Promise.resolve()
        : new Promise((resolve) => {
            const done = (): void => {
              stdout.off("drain", done);
              closedListeners.delete(done);
              resolve();
            };
            stdout.on("drain", done);
            closedListeners.add(done);
          }),
  };
}
