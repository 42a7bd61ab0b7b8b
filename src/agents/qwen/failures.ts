/** Failure data of Qwen Code for the shared classifier. The program puts a frame around the service's message. */
import type { Exit } from "../../process/types.ts";
import type { Ending, FailureFacts } from "../../protocols/failure.ts";
import { record, text, type JsonObject } from "../../protocols/json.ts";
import { classifier, type FailureData } from "../shared/failures/classify.ts";
import { program, signInHelp } from "./program.ts";

export const data: FailureData = {
  agent: program.id,
  name: program.name,
  phrases: [
    [/No saved session found/, "session_not_found"],
    [/auth type|free tier (?:was|has been) discontinued/, "not_authenticated"],
    // Unlike the common pattern, which is about an answer that was cut.
    [/stream ended with empty response|empty stream|answer was empty/i, "overloaded"],
  ],
  stderr: [
    [/No saved session found/, "session_not_found"],
    [/Session Id \S+ is already in use|already in use by another/i, "session_busy"],
    [/No auth type is selected|free tier was discontinued/, "not_authenticated"],
    [/^Unknown arguments?:|^Invalid values:|^Cannot use |Not enough arguments|must be an integer/m, "invalid_input"],
    [/Cannot read operator sandbox policy|Settings file .* invalid|invalid JSON/, "invalid_input"],
    [/Failed to parse stream-json line/, "protocol_error"],
  ],
  // Its search program is shipped without execute permission.
  stderrNoise: /^Ripgrep not available/,
  frames: [/^\[API Error: ([\s\S]*?)\](?:\n[\s\S]*)?$/, /^\d{3} (?=\S)/],
  help: {
    not_installed: program.installHelp,
    not_authenticated: signInHelp,
    quota_exhausted: "Check the plan and the credit of the account, or use another agent.",
    context_too_long: "Start a new session, or send /compress first.",
    session_not_found: "Start a new session, or resume it in the folder it was started in.",
  },
  differs: {
    rate: "The agent reports the status and message of a failed request without headers, so the reset time is unknown.",
    empty: "The agent treats an empty answer as a failure and gives up after its retries.",
    "too-large": "The agent compacts the conversation and repeats the request, which may then fit.",
    "content-filter": "The agent reports `success`, as after any answer.",
    "max-tokens": "The agent asks the model to continue and then reports `success`.",
    timeout:
      "The agent reports nothing while it waits for the first byte, longer than the 75 seconds of this test. Silence alone never fails a turn.",
  },
};

export const failures = classifier(data);

/** `given`: why Reins interrupted the turn, if it did. */
export function endingOf(result: JsonObject, given: FailureFacts | undefined): Ending {
  if (result["is_error"] !== true) return { outcome: "done" };
  const said = errorSaid(result);
  if (!isInterruption(said)) return failures.ending({ text: said });
  return given === undefined ? { outcome: "cancelled" } : failures.ending(given);
}

export function errorSaid(result: JsonObject): string {
  return text(record(result["error"])["message"]) ?? "";
}

export function isInterruption(said: string): boolean {
  return said === "Operation cancelled.";
}

/** The program exits with this code when its limit on model rounds is reached. */
export const reachedTurnLimit = ({ code }: Exit): boolean => code === 53;
