/** Many changes, one drawing: what is asked for within a frame happens once, with the next one. */
export class NextFrame {
  readonly #work: () => void;
  #asked = false;

  constructor(work: () => void) {
    this.#work = work;
  }

  ask(): void {
    if (this.#asked) return;
    this.#asked = true;
    const run = (): void => {
      this.#asked = false;
      this.#work();
    };
    // A page in the background gets no frames, and must not fall behind for that.
    if (typeof document === "undefined" || document.visibilityState === "hidden") setTimeout(run, 100);
    else requestAnimationFrame(run);
  }
}
