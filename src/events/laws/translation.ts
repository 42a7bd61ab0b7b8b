import type { Violation } from "./law.ts";

/** Law 6: no input, however broken, throws out of `translate`. Events cannot show it, so the inputs are tried here. */
export function neverThrows<Input>(translate: (input: Input) => unknown, inputs: Iterable<Input>): Violation[] {
  const violations: Violation[] = [];
  let seq = 0;
  for (const input of inputs) {
    seq++;
    try {
      translate(input);
    } catch (thrown) {
      violations.push({
        law: 6,
        seq,
        message: `an input threw: ${thrown instanceof Error ? thrown.message : String(thrown)}`,
      });
    }
  }
  return violations;
}
