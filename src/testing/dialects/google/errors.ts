import type { Meaning } from "../../scenario.ts";
import type { Failure, ServiceError } from "../dialect.ts";

interface Usual {
  readonly code: number;
  readonly status: string;
  readonly message?: string;
  readonly details?: readonly object[];
}

/** Overload has no status of its own here. */
const overloaded: Usual = {
  code: 503,
  status: "UNAVAILABLE",
  message: "The model is overloaded. Please try again later.",
};

const byStatus: Readonly<Record<number, Usual>> = {
  400: { code: 400, status: "INVALID_ARGUMENT", message: "Request contains an invalid argument." },
  401: {
    code: 401,
    status: "UNAUTHENTICATED",
    message:
      "Request had invalid authentication credentials. Expected OAuth 2 access token, login cookie or other valid authentication credential.",
  },
  403: { code: 403, status: "PERMISSION_DENIED", message: "The caller does not have permission" },
  404: {
    code: 404,
    status: "NOT_FOUND",
    message:
      "models/unknown is not found for API version v1beta, or is not supported for generateContent. Call ListModels to see the list of available models and their supported methods.",
  },
  429: { code: 429, status: "RESOURCE_EXHAUSTED" },
  500: { code: 500, status: "INTERNAL", message: "An internal error has occurred. Please retry." },
  503: overloaded,
  529: overloaded,
};

const byMeaning: Readonly<Record<Meaning, Usual>> = {
  // A key is an argument to Google.
  key: {
    code: 400,
    status: "INVALID_ARGUMENT",
    message: "API key not valid. Please pass a valid API key.",
    details: [
      {
        "@type": "type.googleapis.com/google.rpc.ErrorInfo",
        reason: "API_KEY_INVALID",
        domain: "googleapis.com",
        metadata: { service: "generativelanguage.googleapis.com" },
      },
    ],
  },
  credit: {
    code: 429,
    status: "RESOURCE_EXHAUSTED",
    message: "Your prepayment credits are depleted. Please go to AI Studio to manage your project and billing.",
  },
  too_long: {
    code: 400,
    status: "INVALID_ARGUMENT",
    message: "The input token count (250000) exceeds the maximum number of tokens allowed (200000).",
  },
};

export function error(failure: Failure): ServiceError {
  const { status, meaning, type, message } = failure;
  const usual: Usual = meaning
    ? byMeaning[meaning]
    : (byStatus[status] ?? { code: status, status: status < 500 ? "FAILED_PRECONDITION" : "INTERNAL" });
  const { code } = usual;
  const details = usual.details ?? (code === 429 && !meaning ? exhausted(failure) : undefined);
  const said = message ?? usual.message ?? usualMessage(failure);
  return {
    status: code,
    body: { error: { code, message: said, status: type ?? usual.status, ...(details ? { details } : {}) } },
  };
}

function usualMessage({ status, retryAfterSeconds: seconds }: Failure): string {
  if (status !== 429) return `Scripted error ${status}`;
  const when = seconds === undefined ? "" : ` Please retry in ${seconds}s.`;
  return `You exceeded your current quota, please check your plan and billing details.${when}`;
}

/** Which quota it was and when to come back stand here, not in headers; agents tell a minute's from a day's by the id. */
function exhausted({ retryAfterSeconds: seconds, limit }: Failure): object[] {
  const per = limit?.status === "reached" ? "PerDay" : "PerMinute";
  const violation = {
    quotaMetric: "generativelanguage.googleapis.com/generate_content_free_tier_requests",
    quotaId: `GenerateRequests${per}PerProjectPerModel-FreeTier`,
    quotaDimensions: { location: "global", model: "scripted" },
    quotaValue: "20",
  };
  return [
    { "@type": "type.googleapis.com/google.rpc.QuotaFailure", violations: [violation] },
    ...(seconds === undefined
      ? []
      : [{ "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay: `${seconds}s` }]),
  ];
}
