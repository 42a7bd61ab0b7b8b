/** Text that is said again when an answer is asked for again: only what was not told yet is told. */
export class RepeatedText {
  readonly #tell: (piece: string) => void;
  #told = 0;
  #seen = 0;

  constructor(tell: (piece: string) => void) {
    this.#tell = tell;
  }

  begin(): void {
    this.#seen = 0;
  }

  add(piece: string): void {
    const known = Math.max(0, this.#told - this.#seen);
    this.#seen += piece.length;
    const fresh = piece.slice(known);
    if (fresh === "") return;
    this.#told = this.#seen;
    this.#tell(fresh);
  }
}
