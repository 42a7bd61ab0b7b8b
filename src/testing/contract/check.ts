/** Assertions for scenarios. Each throws one sentence. */
import type { Capabilities } from "../../events/capabilities.ts";
import { isReinsError, type ErrorCode } from "../../events/errors.ts";

/** The agent broke the contract. The message says how. */
export class ContractFailure extends Error {
  override readonly name = "ContractFailure";
}

/** The scenario cannot be run with this agent. The message says why. */
export class NotProvable extends Error {
  override readonly name = "NotProvable";
}

export function must(holds: boolean, sentence: string): asserts holds {
  if (!holds) throw new ContractFailure(sentence);
}

export function mustBe(actual: unknown, expected: unknown, what: string): void {
  must(
    Object.is(actual, expected) || JSON.stringify(actual) === JSON.stringify(expected),
    `${what} is ${shown(actual)} and should be ${shown(expected)}.`,
  );
}

/** Requires a rejection with one of these error codes. */
export async function mustReject(
  promise: Promise<unknown>,
  codes: ErrorCode | readonly ErrorCode[],
  what: string,
): Promise<void> {
  const outcome = await promise.then(
    () => "nothing went wrong",
    (error: unknown) => (isReinsError(error) ? error.code : String(error)),
  );
  const wanted: readonly string[] = [codes].flat();
  must(
    wanted.includes(outcome),
    `${what} should be refused with ${wanted.join(" or ")}, and the outcome was: ${outcome}.`,
  );
}

const shown = (value: unknown): string => (JSON.stringify(value) ?? "undefined").slice(0, 300);

/**
 * A condition on the declared capabilities: `thinking` (declared), `!steer` (not declared), `afterDeny=ends`, `modes=ask`,
 * `hold.edit=every|sandbox` (has this value, or one of these).
 */
export type Condition = string;

export function holds(condition: Condition, can: Capabilities): boolean {
  const [, not, path = "", values] = /^(!?)([\w.-]+)(?:=([\w|]+))?$/.exec(condition) ?? [];
  const found = path.split(".").reduce<unknown>((at, key) => (Object(at) as Record<string, unknown>)[key], can);
  const is = values === undefined ? found === true : values.split("|").some((value) => [found].flat().includes(value));
  return is !== (not === "!");
}
