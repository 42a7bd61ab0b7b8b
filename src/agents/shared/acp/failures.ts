/** Classifies failures of an agent that speaks ACP: by the error codes of the protocol and the data of its folder. */
import type { Classifier } from "../../../protocols/failure.ts";
import { classifier, type FailureData } from "../failures/classify.ts";

export function acpFailures(data: FailureData): Classifier {
  return classifier({
    ...data,
    kinds: {
      "rpc:-32000": "not_authenticated",
      "rpc:-32002": "session_not_found",
      "rpc:-32601": "unsupported",
      "rpc:-32800": "cancelled",
      ...data.kinds,
    },
    vagueKinds: { "rpc:-32602": "invalid_input", ...data.vagueKinds },
    phrases: [
      ...(data.phrases ?? []),
      [
        /\bsession\b.{0,80}(?:not found|not exist|unknown)|(?:invalid|unknown) session|no such session/i,
        "session_not_found",
      ],
    ],
    frames: [/^Internal error:?\s*/i, /^API Error:\s*/i, ...(data.frames ?? [])],
    help: {
      not_authenticated: "Sign in with the agent's own program.",
      context_too_long: "Start a new session.",
      ...data.help,
    },
  });
}
