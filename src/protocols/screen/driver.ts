/** Runs a program on a terminal of its own and interprets its screen by rules: printed lines, questions, and when it waits for a prompt. */
import { printable } from "../../events/printable.ts";
import { randomId } from "../../process/crypto.ts";
import type { Exit, Processes } from "../../process/types.ts";
import { openPty, type Pty, type PtyOptions } from "../pty/open-pty.ts";
import { Screen } from "../pty/screen.ts";
import type { ChoiceRule, CompiledQuestion, CompiledRules } from "./rules.ts";

export interface ScreenQuestion {
  readonly rule: CompiledQuestion;
  readonly text: string;
  /** The printed lines that the question is about. */
  readonly subject: readonly string[];
  readonly choices: readonly ChoiceRule[];
}

export interface ScreenListener {
  /** Receives complete lines as they were printed, without the typed lines. */
  lines(lines: readonly string[]): void;
  question(question: ScreenQuestion): void;
  /** The program stopped asking although nobody answered. */
  withdrawn(): void;
  /** The program waits for a prompt. */
  ready(): void;
  /** Called after the last lines. */
  gone(exit: Exit): void;
}

export type ScreenProgram = Pick<PtyOptions, "argv" | "cwd" | "env" | "agent" | "sessionId">;

/** Bytes waiting to be drawn above which the program has to wait. */
const longestBacklog = 1024 * 1024;
/** Less than the scrollback holds, so that no line is lost before it is read. */
const pieceLines = 400;
const pieceBytes = 16 * 1024;
const mostRecent = 50;

export class ScreenDriver {
  readonly #rules: CompiledRules;
  readonly #listener: ScreenListener;
  readonly #screen: Screen;
  #pty: Pty | undefined;
  #state: "busy" | "ready" | "asked" | "gone" = "busy";
  /** The prompt line that was last reported as ready or as a question. */
  #told = "";
  /** Lines still to be typed, each at the next continuation prompt. */
  #untyped: string[] = [];
  /** Typed lines whose echo has not been printed yet. No prompt line counts before that. */
  #echoes = 0;
  #quiet: NodeJS.Timeout | undefined;
  #recent: string[] = [];
  /** Bytes that are not drawn yet. */
  #backlog = 0;
  #drawing: Promise<void> = Promise.resolve();
  #held = false;

  private constructor(rules: CompiledRules, listener: ScreenListener, screen: Screen) {
    this.#rules = rules;
    this.#listener = listener;
    this.#screen = screen;
  }

  static async open(
    processes: Processes,
    program: ScreenProgram,
    rules: CompiledRules,
    listener: ScreenListener,
  ): Promise<ScreenDriver> {
    const size = { columns: rules.columns, rows: rules.rows };
    const screen = await Screen.create(size);
    const driver = new ScreenDriver(rules, listener, screen);
    // The emulated screen does not reply to queries of the program (position, kind): text from a model could contain such queries, and the
    // reply would be typed as input.
    const onOutput = (bytes: Buffer): void => driver.#take(bytes);
    const pty = await openPty(processes, { ...program, ...size, onOutput });
    driver.#pty = pty;
    void pty.exited.then((exit) => driver.#ended(exit));
    return driver;
  }

  get isReady(): boolean {
    return this.#state === "ready";
  }

  /** The last printed lines, to explain an exit. */
  get recent(): readonly string[] {
    return this.#recent;
  }

  /** Types a prompt. Call only when the program is ready. */
  type(lines: readonly string[]): void {
    const { multiline, startsMultiline } = this.#rules.input;
    const isLong = lines.length > 1 || startsMultiline?.test(lines[0] ?? "") === true;
    // A random tag, so that no text can end the prompt early.
    const tag = `t${randomId().replaceAll("-", "").slice(0, 16)}`;
    const [open, close] = [multiline?.open, multiline?.close].map((frame) => frame?.replaceAll("TAG", tag));
    this.#untyped = isLong && open !== undefined && close !== undefined ? [open, ...lines, close] : [...lines];
    this.#echoes = 0;
    this.#typeNext();
  }

  answer(keys: string): void {
    this.#untyped = [keys];
    this.#typeNext();
  }

  interrupt(): void {
    this.#untyped = [];
    this.#echoes = 0;
    this.#state = this.#state === "gone" ? "gone" : "busy";
    this.#told = "";
    this.#pty?.write(this.#rules.interrupt);
    this.#watch();
  }

  /** While held, nothing more is read, and a program that keeps writing has to wait. */
  hold(held: boolean): void {
    this.#held = held;
    this.#pace();
  }

  stop(): Promise<unknown> {
    clearTimeout(this.#quiet);
    this.#held = false;
    this.#pace();
    return this.#pty?.stop() ?? Promise.resolve();
  }

  #typeNext(): void {
    const line = this.#untyped.shift();
    if (line === undefined || this.#pty === undefined) return;
    this.#state = "busy";
    this.#told = "";
    // A later question is not about lines printed before this answer.
    this.#recent.push("");
    this.#echoes++;
    this.#pty.write(line + this.#rules.input.submit);
  }

  #take(bytes: Buffer): void {
    this.#backlog += bytes.length;
    this.#drawing = this.#drawing.then(() => this.#draw(bytes));
    this.#pace();
  }

  /** Draws piece by piece, and reads each piece before the next is drawn. */
  async #draw(bytes: Buffer): Promise<void> {
    for (const piece of pieces(bytes)) {
      await this.#screen.write(piece);
      this.#backlog -= piece.length;
      this.#read();
    }
    this.#pace();
  }

  #read(): void {
    const taken = this.#screen.takeLines().map((line) => printable(line).trimEnd());
    const echoes = Math.min(this.#echoes, taken.length);
    this.#echoes -= echoes;
    this.#say(taken.slice(echoes));
    if (this.#untyped.length > 0 && this.#echoes === 0 && this.#rules.more?.test(this.#screen.promptLine) === true)
      this.#typeNext();
    this.#watch();
  }

  #say(lines: readonly string[]): void {
    if (lines.length === 0) return;
    this.#recent = [...this.#recent, ...lines].slice(-mostRecent);
    this.#listener.lines(lines);
  }

  #watch(): void {
    clearTimeout(this.#quiet);
    if (this.#state !== "gone") this.#quiet = setTimeout(() => this.#look(), this.#rules.quietMs);
  }

  /** The screen is still: interpret its prompt line. */
  #look(): void {
    if (this.#backlog > 0 || this.#echoes > 0 || this.#untyped.length > 0 || this.#state === "gone") return;
    const line = this.#screen.promptLine;
    if (line === this.#told) return;
    if (this.#state === "asked") this.#listener.withdrawn();
    this.#state = "busy";
    this.#told = "";
    const question = this.#questionIn(line);
    if (question === undefined && !this.#rules.ready.test(line)) return;
    this.#told = line;
    this.#state = question === undefined ? "ready" : "asked";
    if (question === undefined) this.#listener.ready();
    else this.#listener.question(question);
  }

  #questionIn(line: string): ScreenQuestion | undefined {
    for (const rule of this.#rules.questions) {
      const match = rule.when.exec(line);
      if (match === null) continue;
      const choices = rule.choices.filter(({ sign }) => line.includes(sign));
      const text = printable(match.groups?.["question"] ?? line).trim();
      return { rule, text, subject: rule.subject === true ? this.#block() : [], choices };
    }
    return undefined;
  }

  /** The printed lines from the last blank line down to the prompt line. */
  #block(): readonly string[] {
    const blank = this.#recent.findLastIndex((line) => line.trim() === "");
    return this.#recent.slice(blank + 1);
  }

  async #ended(exit: Exit): Promise<void> {
    // The last output must be on the screen first.
    this.#take(Buffer.from("\r\n"));
    await this.#drawing;
    clearTimeout(this.#quiet);
    if (this.#state === "asked") this.#listener.withdrawn();
    this.#state = "gone";
    this.#listener.gone(exit);
    this.#screen.dispose();
  }

  #pace(): void {
    if (this.#held || this.#backlog > longestBacklog) this.#pty?.pause();
    else this.#pty?.resume();
  }
}

/** Splits output into parts of a few lines each, because a screen keeps only so many. */
function* pieces(bytes: Buffer): Generator<Buffer> {
  let [start, lines] = [0, 0];
  for (let index = 0; index < bytes.length; index++) {
    if (bytes[index] === 0x0a) lines++;
    if (lines < pieceLines && index - start < pieceBytes) continue;
    yield bytes.subarray(start, index + 1);
    [start, lines] = [index + 1, 0];
  }
  if (start < bytes.length) yield bytes.subarray(start);
}
