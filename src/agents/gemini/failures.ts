/** Failures of Gemini CLI: the code is the status of the model's service, the message is the service's JSON. */
import type { FailureFacts } from "../../protocols/failure.ts";
import type { RpcError } from "../../protocols/json-rpc/index.ts";
import { acpFailures } from "../shared/acp/failures.ts";
import type { FailureData } from "../shared/failures/classify.ts";
import { program, signInHelp } from "./program.ts";

export const data: FailureData = {
  agent: program.id,
  name: program.name,
  phrases: [
    [/Invalid auth method|Please set an Auth method/i, "not_authenticated"],
    [/increase your limits/i, "rate_limited"],
  ],
  frames: [/^\[?API Error: /],
  help: {
    not_authenticated: signInHelp,
    quota_exhausted: "Wait for the reset, add credit, or use another agent.",
  },
  differs: {
    "content-filter": "The agent ends the turn with `end_turn`, as after any answer.",
    "max-tokens": "The agent ends the turn with `end_turn`, as after any answer.",
    timeout:
      "The agent reports nothing while it waits for the first byte, longer than the 75 seconds of this test. Silence alone never fails a turn.",
  },
};

export const failures = acpFailures(data);

/** A 500 without the service's JSON is an exception of the program itself. */
export function failureOf({ code, message }: Pick<RpcError, "code" | "message">): Partial<FailureFacts> {
  return { text: message, body: undefined, ...(code === 500 && !message.includes("{") && { status: undefined }) };
}
