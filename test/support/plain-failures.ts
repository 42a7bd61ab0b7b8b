/** A failure classifier for tests that only pass failures on: a kind that is an error code means that code. */
import { acpFailures } from "../../src/agents/shared/acp/failures.ts";
import type { FailureData } from "../../src/agents/shared/failures/classify.ts";
import { errorCodes } from "../../src/events/errors.ts";
import type { Classifier } from "../../src/protocols/failure.ts";

export function plainFailures(agent = "some", more: Partial<FailureData> = {}): Classifier {
  const kinds = { ...Object.fromEntries(errorCodes.map((code) => [code, code])), max_turns: "max_turns" as const };
  return acpFailures({ agent, name: "Some", kinds, ...more });
}
