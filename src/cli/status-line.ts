import { fitColumns } from "../events/columns.ts";

const frames = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"];
const erase = "\r\x1b[2K";

/** One line at the bottom that says what is going on and rewrites itself. Whoever writes anything else hides it first. */
export class StatusLine {
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
