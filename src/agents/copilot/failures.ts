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
    rate: "The error has the status and the words of the service, and none of its headers.",
    "content-filter": "It ends the turn with `end_turn`, as after any answer.",
    "max-tokens": "It has the model go on twice, and then ends the turn with `end_turn`.",
    timeout:
      "Nothing is on its wire while it waits for the first byte, for longer than the 75 seconds of this test; silence alone fails no turn.",
  },
};

export const failures = acpFailures(data);

export function factsOf(said: string, status?: number): FailureFacts {
  const unanswered = said.startsWith("Failed to get response") || said.endsWith("Retrying...");
  return { kind: unanswered ? "unanswered" : undefined, status, text: said };
}
