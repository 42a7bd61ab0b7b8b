import { HttpError } from "../http-error.ts";

export class Readers {
  readonly #most: number;
  #count = 0;

  constructor(most: number) {
    this.#most = most;
  }

  get count(): number {
    return this.#count;
  }

  /** Returns a function that frees the place. */
  enter(): () => void {
    if (this.#count >= this.#most)
      throw new HttpError(429, "rate_limited", `There are ${this.#most} open streams already; close one first.`);
    this.#count++;
    let left = false;
    return () => {
      if (!left) this.#count--;
      left = true;
    };
  }
}
