import type { Meaning } from "../../scenario.ts";
import type { Failure, ServiceError } from "../dialect.ts";

interface Usual {
  readonly status: number;
  readonly type: string;
  readonly message?: string;
}

const byStatus: Readonly<Record<number, Omit<Usual, "status">>> = {
  400: { type: "invalid_request_error" },
  401: { type: "authentication_error", message: "invalid x-api-key" },
  402: { type: "billing_error" },
  403: { type: "permission_error", message: "Your API key does not have permission to use the specified resource." },
  404: { type: "not_found_error", message: "model: unknown" },
  413: { type: "request_too_large", message: "Request exceeds the maximum size" },
  429: { type: "rate_limit_error", message: "Too many requests." },
  500: { type: "api_error", message: "Internal server error" },
  529: { type: "overloaded_error", message: "Overloaded" },
};

const byMeaning: Readonly<Record<Meaning, Usual>> = {
  key: { status: 401, type: "authentication_error", message: "invalid x-api-key" },
  credit: {
    status: 400,
    type: "invalid_request_error",
    message:
      "Your credit balance is too low to access the Anthropic API. Please go to Plans & Billing to upgrade or purchase credits.",
  },
  too_long: {
    status: 400,
    type: "invalid_request_error",
    message: "prompt is too long: 250000 tokens > 200000 maximum",
  },
};

const planUsedUp = "This request would exceed your account's rate limit. Please try again later.";

export function error({ status, meaning, type, message, limit }: Failure): ServiceError {
  const usual: Usual = meaning ? byMeaning[meaning] : { status, type: "api_error", ...byStatus[status] };
  const said = message ?? (limit ? planUsedUp : usual.message) ?? `Scripted error ${usual.status}`;
  return {
    status: usual.status,
    body: { type: "error", error: { type: type ?? usual.type, message: said } },
  };
}
