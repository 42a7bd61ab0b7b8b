import { randomId } from "../../process/crypto.ts";
import type { Wire } from "./types.ts";

type WireId = string | number;

/** What became of a request: it waits under an id of ours, was asked before, or contradicts one that waits. */
export type Taken = { readonly id: string } | { readonly repeated: true } | { readonly contradicts: string };

/** What the agent asked and has no answer to yet. */
export class Asked {
  readonly #prefix = `${randomId().slice(0, 8)}-`;
  readonly #waiting = new Map<string, { readonly wireId: WireId; readonly message: Wire }>();
  readonly #byWireId = new Map<WireId, string>();
  #count = 0;

  add(wireId: WireId, message: Wire): Taken {
    const earlier = this.#byWireId.get(wireId);
    if (earlier !== undefined) {
      const before = this.#waiting.get(earlier)!.message;
      if (before["method"] === message["method"] && same(before["params"], message["params"]))
        return { repeated: true };
      // One answer would be taken for both, and what was allowed for one would be allowed for the other.
      this.take(earlier);
      return { contradicts: earlier };
    }
    const id = this.#prefix + ++this.#count;
    this.#waiting.set(id, { wireId, message });
    this.#byWireId.set(wireId, id);
    return { id };
  }

  /** Takes it off the list: it gets its answer now, or none. */
  take(id: string): WireId | undefined {
    const waiting = this.#waiting.get(id);
    if (waiting === undefined) return undefined;
    this.#waiting.delete(id);
    this.#byWireId.delete(waiting.wireId);
    return waiting.wireId;
  }

  idOf(wireId: unknown): string | undefined {
    return this.#byWireId.get(wireId as WireId);
  }

  clear(): void {
    this.#waiting.clear();
    this.#byWireId.clear();
  }
}

function same(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
