/** A terminal for tests: the port of a screen, connected to the emulator @xterm/headless. */
import { UnicodeGraphemesAddon } from "./graphemes-addon.ts";
import xterm from "@xterm/headless";
import type { TerminalPort } from "../../src/tui/screen/port.ts";

export interface XtermPortOptions {
  readonly columns?: number;
  readonly rows?: number;
  /** Wraps the row with the cursor too when the terminal gets narrower. Default: false, as in VS Code. */
  readonly reflowCursorLine?: boolean;
}

/** The environment of a program in this terminal. */
export const xtermEnv = { TERM: "xterm-256color", TERM_PROGRAM: "vscode" } as const;

export class XtermPort implements TerminalPort {
  readonly terminal: xterm.Terminal;
  /** Everything written, one entry per write. */
  readonly log: string[] = [];
  raw = false;
  pending = 0;
  resizes = 0;
  #held: string[] | undefined;
  readonly #data = new Set<(data: string) => void>();
  readonly #resize = new Set<() => void>();
  readonly #closed = new Set<() => void>();

  constructor({ columns = 80, rows = 24, reflowCursorLine = false }: XtermPortOptions = {}) {
    const options = { cols: columns, rows, scrollback: 100_000, allowProposedApi: true, reflowCursorLine };
    this.terminal = new xterm.Terminal(options);
    this.terminal.loadAddon(new UnicodeGraphemesAddon() as never);
    this.terminal.onData((reply) => this.type(reply));
  }

  get columns(): number {
    return this.terminal.cols;
  }
  get rows(): number {
    return this.terminal.rows;
  }
  write(data: string): void {
    this.log.push(data);
    if (this.#held === undefined) this.terminal.write(data);
    else this.#held.push(data);
  }
  onData(listener: (data: string) => void): () => void {
    this.#data.add(listener);
    return () => this.#data.delete(listener);
  }
  onResize(listener: () => void): () => void {
    this.#resize.add(listener);
    return () => this.#resize.delete(listener);
  }
  onClosed(listener: () => void): () => void {
    this.#closed.add(listener);
    return () => this.#closed.delete(listener);
  }
  setRaw(on: boolean): void {
    this.raw = on;
  }
  refreshSize(): void {}
  drained(): Promise<void> {
    return Promise.resolve();
  }

  type(data: string): void {
    for (const listener of this.#data) listener(data);
  }
  /** Waits until the emulator has processed all output, then changes its size. It processes the output of `underWay` after that. */
  async resize(columns: number, rows: number, underWay?: () => void): Promise<void> {
    await this.settle();
    this.#held = [];
    underWay?.();
    const held = this.#held;
    this.#held = undefined;
    this.terminal.resize(columns, rows);
    for (const data of held) this.terminal.write(data);
    this.resizes += 1;
    for (const listener of this.#resize) listener();
  }
  settle(): Promise<void> {
    return new Promise((resolve) => this.terminal.write("", resolve));
  }
  /** The rows on the screen, without trailing blanks. */
  screen(): readonly string[] {
    const { active } = this.terminal.buffer;
    return Array.from({ length: this.rows }, (_, row) => this.#row(active.baseY + row));
  }
  /** All lines from the beginning of the scrollback; wrapped rows are joined. */
  lines(): readonly string[] {
    const { active } = this.terminal.buffer;
    const lines: string[] = [];
    for (let row = 0; row < active.length; row++) {
      const line = active.getLine(row);
      if (line?.isWrapped && lines.length > 0) lines[lines.length - 1] += line.translateToString(true);
      else lines.push(line?.translateToString(true) ?? "");
    }
    while (lines.at(-1) === "") lines.pop();
    return lines;
  }
  cursor(): { readonly row: number; readonly column: number } {
    const { cursorY, cursorX } = this.terminal.buffer.active;
    return { row: cursorY, column: cursorX };
  }
  #row(index: number): string {
    return this.terminal.buffer.active.getLine(index)?.translateToString(true).trimEnd() ?? "";
  }
}
