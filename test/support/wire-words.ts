/** Random combinations of a wire's vocabulary: they get much deeper into a translator than random JSON. */
import { fc } from "./fast-check.ts";

export interface WireWords {
  readonly words: readonly string[];
  readonly keys: readonly string[];
  readonly maxKeys: number;
}

/** Messages: objects of keys and words. */
export function wireMessage({
  words,
  keys,
  maxKeys,
  maxDepth,
}: WireWords & { maxDepth: number }): fc.Arbitrary<unknown> {
  const leaf = fc.oneof({ arbitrary: fc.constantFrom(...words), weight: 4 }, fc.jsonValue({ maxDepth: 1 }));
  const { message } = fc.letrec<{ message: unknown }>((tie) => ({
    message: fc.dictionary(
      fc.constantFrom(...keys),
      fc.oneof({ maxDepth }, leaf, tie("message"), fc.array(tie("message"), { maxLength: 3 })),
      { maxKeys },
    ),
  }));
  return message;
}

/** Any value of keys and words, also one that is not a message. */
export function wireValue({ words, keys, maxKeys }: WireWords): fc.Arbitrary<unknown> {
  const { value } = fc.letrec<{ value: unknown }>((tie) => ({
    value: fc.oneof(
      { depthSize: "small", withCrossShrink: true },
      fc.constantFrom(...words),
      fc.string({ maxLength: 8 }),
      fc.integer({ min: -1, max: 3 }),
      fc.boolean(),
      fc.constant(null),
      fc.array(tie("value"), { maxLength: 3 }),
      fc.dictionary(fc.constantFrom(...keys), tie("value"), { maxKeys }),
    ),
  }));
  return value;
}
