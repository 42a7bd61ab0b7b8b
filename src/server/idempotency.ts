/** A repeated request with the same key gets the same answer and does nothing. */
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
    const said = hashOf(JSON.stringify(body));
    const known = this.#kept.get(name);
    if (known !== undefined && Date.now() - known.at < longestMs) {
      if (known.body === said) return known.answer as Promise<Answer>;
      throw usedForAnother();
    }
    const answer = work();
    this.#kept.set(name, { body: said, answer, at: Date.now() });
    // A refused request did nothing and may be retried.
    answer.catch(() => this.#kept.delete(name));
    if (this.#kept.size > most) this.#kept.delete(this.#kept.keys().next().value!);
    return answer;
  }
}

export interface KeyedTurn {
  readonly id: string;
  /** Returns the turn if an earlier server process has already taken it. */
  find<Turn extends { readonly id: string }>(turns: readonly Turn[]): Turn | undefined;
}

/** Derives the id of a turn from the key and the request, so that a repeated request is recognised even after a restart. */
export function keyedTurn(key: string, place: string, body: { readonly id?: string | undefined }): KeyedTurn {
  // A client that names the turn uses its id as the key.
  if (body.id !== undefined) {
    const { id } = body;
    return { id, find: (turns) => (key === id ? turns.find((one) => one.id === id) : undefined) };
  }
  const [of, said] = [hashOf(`${place}\n${key}`), hashOf(JSON.stringify(body))];
  const stem = `turn_${of.slice(0, 8)}-${of.slice(8, 12)}-${of.slice(12, 16)}-`;
  const id = `${stem}${said.slice(0, 4)}-${said.slice(4, 16)}`;
  return {
    id,
    find(turns) {
      const found = turns.find((one) => one.id.startsWith(stem));
      if (found !== undefined && found.id !== id) throw usedForAnother();
      return found;
    },
  };
}

function usedForAnother(): HttpError {
  return new HttpError(409, "invalid_input", "This Idempotency-Key was used for another request.");
}

function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
