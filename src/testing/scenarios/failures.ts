import type { Act, Scenario } from "../scenario.ts";

const recovered: Act = { say: "It worked in the end." };
const reached = { status: "reached", window: "five_hour", usedPercent: 100, resetsInSeconds: 3_600 } as const;

/** What can go wrong with a model's service. */
export const failures: readonly Scenario[] = [
  { name: "error-400", about: "A bad request.", steps: [[{ error: { status: 400, message: "Bad request." } }]] },
  { name: "error-401", about: "Nobody is signed in.", steps: [[{ error: { status: 401 } }]] },
  {
    name: "bad-key",
    about: "The key is refused, with the status the service has for that.",
    steps: [[{ error: { meaning: "key" } }]],
  },
  { name: "error-403", about: "The key may not do this.", steps: [[{ error: { status: 403 } }]] },
  { name: "error-404", about: "There is no such model.", steps: [[{ error: { status: 404 } }]] },
  {
    name: "error-429",
    about: "Too many requests, for ever.",
    steps: [[{ error: { status: 429, headers: { "retry-after": "1" } } }]],
  },
  {
    name: "error-429-once",
    about: "Too many requests, then an answer.",
    steps: [[{ error: { status: 429, headers: { "retry-after": "1" }, times: 1 } }, recovered]],
  },
  {
    name: "quota",
    about: "The plan's five-hour window is used up.",
    steps: [[{ limit: reached }, { error: { status: 429, headers: { "retry-after": "3600" } } }]],
  },
  {
    name: "error-500",
    about: "A server error, for ever.",
    steps: [[{ error: { status: 500 } }]],
  },
  {
    name: "error-500-once",
    about: "One server error, then an answer.",
    steps: [[{ error: { status: 500, times: 1 } }, recovered]],
  },
  {
    name: "error-500-twice",
    about: "Two server errors, then an answer.",
    steps: [[{ error: { status: 500, times: 2 } }, recovered]],
  },
  { name: "error-503", about: "Unavailable, for ever.", steps: [[{ error: { status: 503 } }]] },
  {
    name: "error-529-thrice",
    about: "Overloaded three times, then an answer.",
    steps: [[{ error: { status: 529, times: 3 } }, recovered]],
  },
  { name: "error-529", about: "Overloaded, for ever.", steps: [[{ error: { status: 529 } }]] },
  { name: "cut", about: "The connection always dies in the middle.", steps: [[{ say: "Half an ans" }, { cut: true }]] },
  {
    name: "cut-once",
    about: "The connection dies once in the middle.",
    steps: [[{ say: "A whole ans" }, { cut: { times: 1 } }, { say: "wer." }]],
  },
  {
    name: "mid-error",
    about: "The stream always ends in an error.",
    steps: [[{ say: "Half an ans" }, { midError: {} }, { say: "wer." }]],
  },
  {
    name: "mid-error-once",
    about: "The stream ends in an error once.",
    steps: [[{ say: "A whole ans" }, { midError: { times: 1 } }, { say: "wer." }]],
  },
  { name: "hang", about: "No answer ever comes.", steps: [[{ hang: true }]] },
  { name: "hang-midway", about: "The answer stops in the middle.", steps: [[{ say: "Half an ans" }, { hang: true }]] },
  {
    name: "refusal",
    about: "The model declines.",
    steps: [[{ say: "I cannot help with that." }, { stop: "refusal" }]],
  },
  {
    name: "max-tokens",
    about: "The answer is cut at the model's limit.",
    steps: [[{ say: "This goes on and" }, { stop: "max_tokens" }]],
  },
  {
    name: "credit",
    about: "The account has no credit left.",
    steps: [[{ error: { meaning: "credit" } }]],
  },
  {
    name: "prompt-too-long",
    about: "The conversation no longer fits.",
    steps: [[{ error: { meaning: "too_long" } }]],
  },
];
