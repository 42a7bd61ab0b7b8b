/** The errors of OpenAI's service, the same in both of its formats. */
import type { Call, Failure, Route, ServiceError } from "./dialect.ts";
import type { Meaning } from "../scenario.ts";

interface Usual {
  readonly status: number;
  readonly type: string;
  readonly code: string | null;
  readonly message?: string;
}

const invalid = "invalid_request_error";

const badKey: Usual = {
  status: 401,
  type: invalid,
  code: "invalid_api_key",
  message:
    "Incorrect API key provided: sk-made-up. You can find your API key at https://platform.openai.com/account/api-keys.",
};

/** OpenAI has no separate status for overload. */
const overloaded: Usual = {
  status: 503,
  type: "server_error",
  code: "server_is_overloaded",
  message: "Our servers are currently overloaded. Please try again later.",
};

const byStatus: Readonly<Record<number, Usual>> = {
  400: { status: 400, type: invalid, code: null },
  401: badKey,
  403: {
    status: 403,
    type: invalid,
    code: "insufficient_permissions",
    message: "You have insufficient permissions for this operation.",
  },
  404: {
    status: 404,
    type: invalid,
    code: "model_not_found",
    message: "The model `unknown` does not exist or you do not have access to it.",
  },
  429: { status: 429, type: "requests", code: "rate_limit_exceeded" },
  500: {
    status: 500,
    type: "server_error",
    code: null,
    message: "The server had an error while processing your request. Sorry about that!",
  },
  503: overloaded,
  529: overloaded,
};

const byMeaning: Readonly<Record<Meaning, Usual>> = {
  key: badKey,
  credit: {
    status: 429,
    type: "insufficient_quota",
    code: "insufficient_quota",
    message: "You exceeded your current quota, please check your plan and billing details.",
  },
  too_long: {
    status: 400,
    type: invalid,
    code: "context_length_exceeded",
    message: "Your input exceeds the context window of this model. Please adjust your input and try again.",
  },
};

export function error(failure: Failure): ServiceError {
  const { status, meaning, type, message } = failure;
  const usual: Usual = meaning
    ? byMeaning[meaning]
    : (byStatus[status] ?? { status, type: status < 500 ? invalid : "server_error", code: null });
  const said = message ?? usual.message ?? usualMessage(failure);
  return {
    status: usual.status,
    body: { error: { message: said, type: type ?? usual.type, param: null, code: usual.code } },
  };
}

/** The message also contains the time to retry, and some agents read it there. */
function usualMessage({ status, retryAfterSeconds: seconds, limit }: Failure): string {
  if (status !== 429) return `Scripted error ${status}`;
  const what = limit ? "day (RPD)" : "min (RPM)";
  const when = seconds === undefined ? "later" : `in ${seconds}s`;
  return `Rate limit reached for scripted on requests per ${what}: Limit 3, Used 3, Requested 1. Please try again ${when}.`;
}

/** An error inside a stream; without a message it is overload. */
export const streamError = (type: string | undefined, message: string | undefined) => ({
  code: type ?? "server_is_overloaded",
  message: message ?? "Our servers are currently overloaded. Please try again later.",
});

const model = { id: "scripted", object: "model", created: 1_767_225_600, owned_by: "scripted" };

/** Both formats list the same models at the same path. */
export function modelsRoute({ method, path }: Call): Route | undefined {
  if (method !== "GET") return undefined;
  if (path === "/v1/models") return { kind: "models", reply: () => ({ object: "list", data: [model] }) };
  const id = /^\/v1\/models\/(.+)$/.exec(path)?.[1];
  return id === undefined ? undefined : { kind: "models", reply: () => ({ ...model, id }) };
}
