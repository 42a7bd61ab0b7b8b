/** Failure tables for all agents: by the type and the words of the model's service and by HTTP status, and the advice for each code. */
import type { ErrorCode } from "../../../events/errors.ts";
import type { FailureCode } from "./classify.ts";

type Row = readonly [RegExp, FailureCode];

/** A lack of credit. Waiting does not help, even when the service names a wait. */
export const money =
  /credit balance|out of credits?|insufficient (?:balance|funds|credits?)|credits? (?:are|is) (?:depleted|exhausted)|prepayment|arrears|billing_error|payment required/i;

/** By the service's own name for the failure. */
export const types: readonly Row[] = [
  [/insufficient_quota|usage_?limit|billing|quota_?exceeded|PerDay/i, "quota_exhausted"],
  [/Per(?:Minute|Second)/, "rate_limited"],
  [/context_?length|context_?window|request_too_large|string_above_max_length/i, "context_too_long"],
  [/content_?filter|content_?policy|refusal|cyber_?policy/i, "refused"],
  [/max_output_tokens/, "max_tokens"],
  [/model_?not_?found/i, "model_unknown"],
  [/invalid_?api_?key|api_?key_?invalid|authentication|unauthenticated|unauthorized/i, "not_authenticated"],
  [/connection_(?:failed|error)/i, "network"],
  [/overloaded|server_error|server_is|unavailable|at_?capacity/i, "overloaded"],
];

/** Checked after the words: a service may call a used-up quota a rate limit. */
export const weakTypes: readonly Row[] = [[/rate_?limit|too_?many_?requests/i, "rate_limited"]];

/** Words that are unambiguous for any status. */
export const phrases: readonly Row[] = [
  [money, "quota_exhausted"],
  [
    /insufficient_quota|exceeded your (?:current |monthly |daily )?quota|(?:usage|spend(?:ing)?) limit|quota (?:was |is |has been )?(?:exceeded|exhausted|reached|used up)|(?:used up|exceeded|exhausted|reached|out of|no) (?:\w+ ){0,4}(?:quota|allowance)\b|exhausted your (?:capacity|daily)|out of usage|PerDay|billing/i,
    "quota_exhausted",
  ],
  [/rate.?limit|too many requests/i, "rate_limited"],
  [
    /context[_ ]?(?:length|window|limit|overflow)|maximum context|(?:prompt|input|conversation|request) (?:is |as )?too (?:long|large)|request_too_large|maximum number of tokens|too many tokens|input length should be|exceeds the maximum size/i,
    "context_too_long",
  ],
  [/content[_ -]filter|finish_?reason:? (?:sensitive|safety)|blocked by .*safety|\brefus(?:al|ed to)\b/i, "refused"],
  [/reason: max_output_tokens|finish_?reason:? (?:length|max_tokens)/i, "max_tokens"],
  [
    /model_not_found|(?:no such|unknown|unsupported|invalid) model|model .{0,80}(?:not found|does not exist|not (?:supported|available|enabled))|models?\/\S+ is not found|not supported for generateContent|Requested entity was not found|issue with the selected model/i,
    "model_unknown",
  ],
  [
    /(?:invalid|incorrect|no|missing) api.?key|api.?key (?:is )?(?:not valid|invalid)|API_KEY_INVALID|authenticat|unauthori[sz]ed|not (?:logged|signed) in|please (?:log|sign) in|log in again|\/login\b/i,
    "not_authenticated",
  ],
  [
    /overloaded|at capacity|high demand|(?:internal )?server.?error|server had an error|(?:service|temporarily) (?:is )?(?:currently )?unavailable|bad gateway|gateway time-?out/i,
    "overloaded",
  ],
];

/** Matches an empty answer, which some agents treat as a failure. */
export const emptyAnswer =
  /empty (?:response|answer|stream|message)|no (?:response|content|output) was (?:returned|generated)/i;

/** Matches a web page in place of the service's protocol: a proxy answered. */
export const foreignAnswer =
  /<!doctype html|<html\b|Unexpected token '?<|(?:not valid|invalid|malformed) JSON|JSON Parse error|parse JSON|JSON parsing|Incomplete JSON segment|error decoding response body|text\/html/i;

/** Words that count only when nothing else is known. */
export const weakPhrases: readonly Row[] = [
  [emptyAnswer, "overloaded"],
  [foreignAnswer, "network"],
  [
    /\bE(?:CONN\w+|NOTFOUND|AI_AGAIN|TIMEDOUT|PIPE|PROTO|HOSTUNREACH|NETUNREACH)\b|UND_ERR|certificate|self[- ]signed|\bTLS\b|\bSSL\b|socket|getaddrinfo|fetch failed|terminated|premature|stream (?:disconnected|ended|closed)|connect(?:ion)?\b|network|timed? ?out|error sending request|HTTP request|interrupted|other side closed|aborted/i,
    "network",
  ],
  [/invalid_request/, "invalid_input"],
];

export const statuses: Readonly<Record<number, FailureCode>> = {
  400: "invalid_input",
  401: "not_authenticated",
  402: "quota_exhausted",
  403: "not_authenticated",
  404: "model_unknown",
  408: "network",
  413: "context_too_long",
  422: "invalid_input",
  429: "rate_limited",
  451: "refused",
};

export const usualHelp: Readonly<Partial<Record<ErrorCode, string>>> = {
  model_unknown: "Choose another model.",
  rate_limited: "Wait a moment and try again.",
  quota_exhausted: "Wait for the reset, or use another agent.",
  overloaded: "Try again in a moment.",
  context_too_long: "Start a new session, or send /compact first.",
  network: "Check the connection and try again.",
  session_not_found: "Start a new session.",
  refused: "Rephrase the request in a new session, or choose another model.",
};
