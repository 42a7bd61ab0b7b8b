/** Failures of pi, which passes on the messages of the model's service in many formats. */
import type { Ending } from "../../protocols/failure.ts";
import { text, type JsonObject } from "../../protocols/json.ts";
import { classifier, type FailureData } from "../shared/failures/classify.ts";
import { program } from "./program.ts";

export const data: FailureData = {
  agent: program.id,
  name: program.name,
  stderr: [
    [/No API key found|No models available|No model selected/, "not_authenticated"],
    [/Model ".*" not found|is ambiguous across providers|Unknown provider/, "model_unknown"],
    [
      /No session found matching|Cannot fork|session working directory|not a valid session|session file/i,
      "session_not_found",
    ],
    [/^(Error: )?(Unknown option|Invalid|--?\w[\w-]* (requires|cannot))/m, "invalid_input"],
    [/Failed to load extension/, "invalid_input"],
  ],
  help: {
    not_installed: program.installHelp,
    not_authenticated: "Start `pi` and type /login, or set the key of a model's service, such as ANTHROPIC_API_KEY.",
    model_unknown: "Choose another model; `reins models pi` lists them.",
    quota_exhausted: "Wait for the reset, add credit, or use another agent.",
  },
  differs: {
    rate: "The agent reports the status and body of a failure without headers, so the reset time is unknown.",
    context: "The agent compacts the conversation and repeats the request, which may then fit.",
    timeout:
      "The agent reports nothing while it waits for the first byte, longer than the 75 seconds of this test. Silence alone never fails a turn.",
  },
};

export const failures = classifier(data);

/** How a turn ended, from its last answer. The program's exit code does not show it. */
export function endingOf(answer: JsonObject | undefined, now: number): Ending {
  switch (answer?.["stopReason"]) {
    case "error":
      return failures.ending({ text: text(answer["errorMessage"]) ?? "" }, now);
    case "aborted":
      return { outcome: "cancelled" };
    case "length":
      return { outcome: "max_tokens" };
    default:
      return { outcome: "done" };
  }
}
