/** What must not be done twice at once in one worktree; and what several want to know is found out once. */

/** What was found out is good for so long. */
const freshMs = 1_000;

export class OneByOne {
  readonly #last = new Map<string, Promise<unknown>>();
  readonly #known = new Map<string, { readonly answer: Promise<unknown>; readonly until: number }>();

  do<Answer>(key: string, work: () => Promise<Answer>): Promise<Answer> {
    this.#known.delete(key);
    const before = this.#last.get(key) ?? Promise.resolve();
    const now = before.then(work, work);
    this.#last.set(key, now);
    const forget = (): void => {
      if (this.#last.get(key) === now) this.#last.delete(key);
    };
    now.then(forget, forget);
    return now;
  }

  shared<Answer>(key: string, work: () => Promise<Answer>): Promise<Answer> {
    const known = this.#known.get(key);
    if (known !== undefined && known.until > performance.now()) return known.answer as Promise<Answer>;
    const answer = this.do(key, work);
    this.#known.set(key, { answer, until: Number.POSITIVE_INFINITY });
    const found = (): void => {
      if (this.#known.get(key)?.answer !== answer) return;
      this.#known.set(key, { answer, until: performance.now() + freshMs });
      setTimeout(() => this.#known.get(key)?.answer === answer && this.#known.delete(key), freshMs).unref();
    };
    answer.then(found, () => this.#known.delete(key));
    return answer;
  }
}
