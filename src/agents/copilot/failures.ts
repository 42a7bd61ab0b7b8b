/** Failures of Copilot, which reports them as messages: there are no codes over ACP. */
import type { FailureFacts } from "../../protocols/failure.ts";
import { acpFailures } from "../shared/acp/failures.ts";
import type { FailureData } from "../shared/failures/classify.ts";
import { program, signInHelp } from "./program.ts";

export const data: FailureData = {
  agent: program.id,
  name: program.name,
  kinds: { denied: "permission_denied" },
  vagueKinds: { unanswered: "overloaded" },
  phrases: [
    [/^Response was interrupted/, "network"],
    [/no quota|premium request|AI credit/i, "quota_exhausted"],
    [/Could not connect to .*provider|stream: request ended without/i, "network"],
  ],
  stderr: [
    [/No session, task, or name matched/, "session_not_found"],
    [/No authentication information found|Authentication required/, "not_authenticated"],
    [/Offline mode requires a local model provider/, "not_authenticated"],
    [/unexpected argument|a value is required|invalid value|unknown option/, "invalid_input"],
  ],
  // Printed at the first run of a version.
  stderrNoise: /^Package extraction took/,
  help: {
    not_authenticated: signInHelp,
    context_too_long: "Start a new session, or send /compact first.",
  },
  differs: {
    rate: "The agent reports the status and message of the service without headers, so the reset time is unknown.",
    "content-filter": "The agent ends the turn with `end_turn`, as after any answer.",
    "max-tokens": "The agent asks the model to continue twice, then ends the turn with `end_turn`.",
    timeout:
      "The agent reports nothing while it waits for the first byte, longer than the 75 seconds of this test. Silence alone never fails a turn.",
  },
};

export const failures = acpFailures(data);

export function factsOf(said: string, status?: number): FailureFacts {
  const unanswered = said.startsWith("Failed to get response") || said.endsWith("Retrying...");
  return { kind: unanswered ? "unanswered" : undefined, status, text: said };
}
