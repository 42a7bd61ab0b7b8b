/** Emits only new text when an answer is requested again and repeats its beginning. */
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
