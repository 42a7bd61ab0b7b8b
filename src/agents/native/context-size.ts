import type { ChosenModel, Environment } from "./endpoints.ts";

/** How many tokens fit, by the beginning of a model's name. Where nobody knows, only the service itself can say that it is too much. */
const sizes: readonly (readonly [RegExp, number])[] = [
  [/^claude-/, 200_000],
  [/^gemini-/, 1_048_576],
  [/^(gpt-[5-9]|o\d)/, 272_000],
];

export function contextSize({ id }: Pick<ChosenModel, "id">, env: Environment): number | undefined {
  const given = Number(env["REINS_NATIVE_CONTEXT"]);
  if (Number.isInteger(given) && given > 0) return given;
  const plain = id.slice(id.lastIndexOf("/") + 1);
  return sizes.find(([beginning]) => beginning.test(plain))?.[1];
}
