/** The same request again, known by its key, is answered with the same answer and does nothing. */
import { createHash } from "node:crypto";
import { HttpError } from "./http-error.ts";

const most = 10_000;
const longestMs = 24 * 60 * 60 * 1000;

interface Kept {
  readonly body: string;
  readonly answer: Promise<unknown>;
  readonly at: number;
}

export class Idempotency {
  readonly #kept = new Map<string, Kept>();

  once<Answer>(key: string | undefined, place: string, body: unknown, work: () => Promise<Answer>): Promise<Answer> {
    if (key === undefined) return work();
    const name = `${place}\n${key}`;
    const said = createHash("sha256").update(JSON.stringify(body)).digest("hex");
    const known = this.#kept.get(name);
    if (known !== undefined && Date.now() - known.at < longestMs) {
      if (known.body === said) return known.answer as Promise<Answer>;
      throw new HttpError(409, "invalid_input", "This Idempotency-Key was used for another request.");
    }
    const answer = work();
    this.#kept.set(name, { body: said, answer, at: Date.now() });
    // What was refused did nothing, and may be tried again.
    answer.catch(() => this.#kept.delete(name));
    if (this.#kept.size > most) this.#kept.delete(this.#kept.keys().next().value!);
    return answer;
  }
}
