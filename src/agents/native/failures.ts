import type { Endpoint } from "./endpoints.ts";
import { classifier, type FailureData } from "../shared/failures/classify.ts";
import { ReinsError } from "../../events/errors.ts";
import type { FailureFacts } from "../../protocols/failure.ts";

export const data: FailureData = {
  agent: "native",
  name: "Native",
  vagueKinds: { unreachable: "network" },
  help: {
    model_unknown: "Choose another model; `reins models native` lists them.",
    quota_exhausted: "Wait for the reset, add credit to the account, or use another agent.",
    context_too_long: "Start a new session, or send /compact first.",
    refused: "Rephrase the request, or choose another model.",
  },
  differs: {
    timeout:
      "The agent waits for the first byte as long as the service keeps the connection. Silence alone never fails a turn.",
  },
};

export const failures = classifier(data);

export function serviceError(thrown: unknown, endpoint: Endpoint, now = Date.now()): ReinsError {
  const info = failures.error(factsOf(thrown), now);
  const { code, resetsAt } = info;
  const message =
    code === "network" ? `${endpoint.label} could not be reached, or the connection was cut.` : info.message;
  return new ReinsError(code, message, {
    agent: "native",
    cause: thrown,
    resetsAt,
    help: helpFor(code, endpoint, info.help),
  });
}

function helpFor(code: string, { variable, baseUrl }: Endpoint, usual: string | undefined): string | undefined {
  if (code === "not_authenticated") return `Check the key in ${variable}.`;
  return code === "network" ? `Check the connection to ${new URL(baseUrl).host} and try again.` : usual;
}

/** `thrown` may be an error of the packages, of `fetch`, or a value from a stream. */
function factsOf(thrown: unknown): FailureFacts {
  const error = fields(thrown);
  // The error of a cut stream wraps the system's own error.
  const chain = causes(thrown);
  const status = chain.map(({ statusCode }) => statusCode).find((value) => typeof value === "number" && value >= 400);
  const inner = fields(fields(error["data"])["error"] ?? error["error"]);
  const headers = fields(error["responseHeaders"]);
  const ms = Number(asText(headers["retry-after-ms"]) || Number.NaN);
  return {
    kind: chain.some(({ code }) => systemCode.test(asText(code))) ? "unreachable" : undefined,
    status: status as number | undefined,
    type: [error["type"], inner["type"], inner["code"], error["code"]].map(asText).join(" "),
    text: chain.map(({ message }) => message).findLast((value) => typeof value === "string") ?? asText(thrown),
    body: asText(error["responseBody"]),
    retryAfter: Number.isFinite(ms) ? String(ms / 1_000) : asText(headers["retry-after"]) || undefined,
  };
}

/** A system error code such as ECONNREFUSED. */
const systemCode = /^(?:E[A-Z_]+|UND_ERR\w*|ERR_\w+)$/;

type Fields = Readonly<Record<string, unknown>> & { readonly message?: string };

function causes(thrown: unknown): Fields[] {
  const chain: Fields[] = [];
  for (let at: unknown = thrown; typeof at === "object" && at !== null && chain.length < 5; at = fields(at)["cause"])
    chain.push(fields(at));
  return chain;
}

function fields(value: unknown): Fields {
  return typeof value === "object" && value !== null ? (value as Fields) : {};
}

function asText(value: unknown): string {
  return typeof value === "string" ? value : "";
}
