/** Who wants to know when the list of sessions changes. */
import type { SessionSummary } from "./schemas/sessions.ts";

export type Change = { readonly session: SessionSummary } | { readonly removed: string; readonly cwd: string };

export class Changes {
  readonly #listeners = new Set<(change: Change) => void>();
  readonly #onFirst: () => () => void;
  #stop: (() => void) | undefined;

  /** `onFirst` is called when somebody comes, and what it gives back when nobody is left. */
  constructor(onFirst: () => () => void) {
    this.#onFirst = onFirst;
  }

  get wanted(): boolean {
    return this.#listeners.size > 0;
  }

  on(listener: (change: Change) => void): () => void {
    this.#listeners.add(listener);
    this.#stop ??= this.#onFirst();
    return () => {
      this.#listeners.delete(listener);
      if (this.wanted) return;
      this.#stop?.();
      this.#stop = undefined;
    };
  }

  tell(change: Change): void {
    for (const listener of this.#listeners) listener(change);
  }
}
