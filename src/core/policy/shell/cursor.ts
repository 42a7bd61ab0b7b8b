/** A place in a command line. */
export class Cursor {
  readonly text: string;
  at = 0;

  constructor(text: string) {
    this.text = text;
  }

  get done(): boolean {
    return this.at >= this.text.length;
  }

  /** The next character; empty at the end. */
  get next(): string {
    return this.text[this.at] ?? "";
  }

  take(count = 1): string {
    const taken = this.text.slice(this.at, this.at + count);
    this.at += count;
    return taken;
  }

  /** Takes a piece of text if it comes next. */
  eat(piece: string): boolean {
    if (!this.text.startsWith(piece, this.at)) return false;
    this.at += piece.length;
    return true;
  }

  /** Everything before the next such character, which is taken too; undefined where there is none, and then it is all taken. */
  until(end: string): string | undefined {
    const place = this.text.indexOf(end, this.at);
    const found = this.text.slice(this.at, place < 0 ? undefined : place);
    this.at = place < 0 ? this.text.length : place + end.length;
    return place < 0 ? undefined : found;
  }

  /** Takes what a sticky pattern matches here. */
  match(pattern: RegExp): string {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text)?.[0] ?? "";
    this.at += found.length;
    return found;
  }
}
