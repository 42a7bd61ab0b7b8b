import { once } from "node:events";
import { styleText } from "node:util";
import { fitColumns } from "../../events/columns.ts";
import { oneLine } from "../../events/printable.ts";
import { safeFor } from "./text.ts";

type Style = Parameters<typeof styleText>[0];

/**
 * Writes the agent's text to stdout and everything else to stderr. When both are the same terminal, a line on stderr never lands in the
 * middle of a line of text, and the status line never covers either.
 */
export class Screen {
  readonly #status =
    process.stderr.isTTY && process.env["TERM"] !== "dumb" ? new StatusLine(process.stderr) : undefined;
  readonly #safeText = safeFor(process.stdout);
  readonly #safeLine = safeFor(process.stderr);
  /** True when the terminal's cursor is after text, not at the start of a line. */
  #midLine = false;
  /** True when the last text on stdout does not end in a line break. */
  #openText = false;

  async text(piece: string): Promise<void> {
    if (piece === "") return;
    this.#status?.hide();
    const open = !piece.endsWith("\n");
    this.#openText = open;
    if (process.stdout.isTTY) this.#midLine = open;
    await writeOut(this.#safeText(piece));
  }

  /** Ends the open line of text, so that stdout has whole lines. */
  async endText(): Promise<void> {
    if (!this.#openText) return;
    // If a line on stderr has already moved the cursor down, the break would show as an empty line.
    const shown = !process.stdout.isTTY || this.#midLine;
    this.#openText = false;
    this.#midLine = false;
    if (shown) await writeOut("\n");
  }

  line(text: string, style?: Style): void {
    this.#status?.hide();
    if (this.#midLine && process.stderr.isTTY) process.stderr.write("\n");
    this.#midLine = false;
    const safe = this.#safeLine(text);
    // Colours only on a terminal, and never with NO_COLOR.
    process.stderr.write(`${style === undefined ? safe : styleText(style, safe, { stream: process.stderr })}\n`);
  }

  /** Shows the status line, if the terminal can rewrite a line and no text is open. */
  status(text: string): void {
    if (!this.#midLine) this.#status?.show(oneLine(text));
  }

  /** Hides the status line until the next status, for a question to the user. */
  still(): void {
    this.#status?.hide();
    if (this.#midLine) process.stderr.write("\n");
    this.#midLine = false;
  }
}

/** Waits for a slow reader. signals.ts handles a reader that went away. */
export async function writeOut(text: string): Promise<void> {
  if (process.stdout.errored !== null) return;
  if (!process.stdout.write(text)) await once(process.stdout, "drain").catch(() => undefined);
}

const frames = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"];
const erase = "\r\x1b[2K";

/** A status line that rewrites itself. Hide it before writing anything else. */
class StatusLine {
  readonly #stream: NodeJS.WriteStream;
  #text: string | undefined;
  #since = 0;
  #frame = 0;
  #drawn = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(stream: NodeJS.WriteStream) {
    this.#stream = stream;
  }

  show(text: string): void {
    if (text !== this.#text) this.#since = Date.now();
    this.#text = text;
    this.#draw();
    this.#timer ??= setInterval(() => this.#draw(), 100).unref();
  }

  hide(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
    if (this.#drawn) this.#stream.write(erase);
    this.#drawn = false;
  }

  #draw(): void {
    if (this.#text === undefined) return;
    this.#frame = (this.#frame + 1) % frames.length;
    const seconds = Math.floor((Date.now() - this.#since) / 1000);
    const line = `${frames[this.#frame]} ${this.#text}${seconds < 2 ? "" : ` ${seconds} s`}`;
    this.#stream.write(erase + fitColumns(line, (this.#stream.columns || 80) - 1));
    this.#drawn = true;
  }
}
