/** Failures of Aider, which prints the class of its model library before the message of the service. */
import { classifier, type FailureData } from "../shared/failures/classify.ts";
import { keyVariables, program } from "./program.ts";

export const data: FailureData = {
  agent: program.id,
  name: program.name,
  phrases: [
    [/\bAuthenticationError\b|api_key client option must be set/, "not_authenticated"],
    [/\bRateLimitError\b/, "rate_limited"],
    [/\bContextWindowExceededError\b/, "context_too_long"],
    [/\bNotFoundError\b/, "model_unknown"],
    [/\b(?:ServiceUnavailable|InternalServer)Error\b/, "overloaded"],
    [/\b(?:APIConnectionError|Timeout)\b/, "network"],
  ],
  help: { not_authenticated: `Set the key of your service, such as ${keyVariables[0]}.` },
};

export const failures = classifier(data);
