import { afterEach, describe, expect, test } from "vitest";
import { wires } from "../../../test/support/wires/index.ts";
import { ask } from "../../../test/support/wires/wire.ts";
import { startScriptedModel, type ScriptedModel, type ScriptedModelOptions } from "../server.ts";
import { anthropic } from "./anthropic.ts";
import { google } from "./google.ts";
import { openaiChat } from "./openai-chat.ts";
import { openaiResponses } from "./openai-responses.ts";

const services = { anthropic, "openai-responses": openaiResponses, "openai-chat": openaiChat, gemini: google };

const openai = (type: string, code: string | null) => ({ error: { type, code, message: expect.any(String) } });
const ofAnthropic = (type: string) => ({ type: "error", error: { type, message: expect.any(String) } });
const ofGoogle = (code: number, status: string) => ({ error: { code, status, message: expect.any(String) } });

describe("the errors of each service", () => {
  test.each([
    [400, "invalid_request_error", ["invalid_request_error", null], [400, "INVALID_ARGUMENT"]],
    [401, "authentication_error", ["invalid_request_error", "invalid_api_key"], [401, "UNAUTHENTICATED"]],
    [403, "permission_error", ["invalid_request_error", "insufficient_permissions"], [403, "PERMISSION_DENIED"]],
    [404, "not_found_error", ["invalid_request_error", "model_not_found"], [404, "NOT_FOUND"]],
    [418, "api_error", ["invalid_request_error", null], [418, "FAILED_PRECONDITION"]],
    [429, "rate_limit_error", ["requests", "rate_limit_exceeded"], [429, "RESOURCE_EXHAUSTED"]],
    [500, "api_error", ["server_error", null], [500, "INTERNAL"]],
    [503, "api_error", ["server_error", "server_is_overloaded"], [503, "UNAVAILABLE"]],
    [504, "api_error", ["server_error", null], [504, "INTERNAL"]],
  ] as const)(
    "status %i has the type and code of each service",
    (status, type, [openaiType, code], [googleCode, googleStatus]) => {
      expect(anthropic.error({ status })).toEqual({ status, body: ofAnthropic(type) });
      for (const service of [openaiChat, openaiResponses])
        expect(service.error({ status })).toMatchObject({ status, body: openai(openaiType, code) });
      expect(google.error({ status })).toMatchObject({ status: googleCode, body: ofGoogle(googleCode, googleStatus) });
    },
  );

  test("overload has status 529 at Anthropic, and 503 elsewhere", () => {
    expect(anthropic.error({ status: 529 })).toEqual({ status: 529, body: ofAnthropic("overloaded_error") });
    expect(openaiChat.error({ status: 529 })).toMatchObject({
      status: 503,
      body: openai("server_error", "server_is_overloaded"),
    });
    expect(google.error({ status: 529 })).toEqual({ status: 503, body: ofGoogle(503, "UNAVAILABLE") });
  });

  test.each([
    ["key", [401, 401, 401, 400], /key/i],
    ["credit", [400, 429, 429, 429], /credit|quota/],
    ["too_long", [400, 400, 400, 400], /too long|context window|token count/],
  ] as const)("the failure %s has each service's own status and message", (meaning, statuses, words) => {
    for (const [index, service] of Object.values(services).entries()) {
      const { status, body } = service.error({ status: 500, meaning });
      expect(status).toBe(statuses[index]);
      expect(JSON.stringify(body)).toMatch(words);
    }
  });

  test("a given message and type replace the usual ones everywhere", () => {
    for (const service of Object.values(services)) {
      const body = JSON.stringify(service.error({ status: 400, type: "mine", message: "My words." }).body);
      expect(body).toContain('"mine"');
      expect(body).toContain("My words.");
    }
  });

  test("the time to retry is in OpenAI's message and in Google's details", () => {
    expect(openaiChat.error({ status: 429, retryAfterSeconds: 7 })).toMatchObject({
      body: { error: { message: expect.stringContaining("try again in 7s") } },
    });
    expect(google.error({ status: 429, retryAfterSeconds: 7 })).toMatchObject({
      body: {
        error: {
          details: [{ violations: [{ quotaId: expect.stringContaining("PerMinute") }] }, { retryDelay: "7s" }],
        },
      },
    });
    expect(JSON.stringify(google.error({ status: 429 }).body)).not.toContain("RetryInfo");
  });
});

describe("a plan's usage", () => {
  let model: ScriptedModel;
  afterEach(() => model.close());
  const answers = async (scenario: string, options: ScriptedModelOptions = {}) => {
    model = await startScriptedModel(options);
    const asked = wires.map(async (wire) => {
      const response = await ask(model, wire.request([{ user: `scenario:${scenario}` }], true));
      return [wire.speaks, { headers: response.headers, body: await response.text() }] as const;
    });
    return Object.fromEntries(await Promise.all(asked)) as Record<
      keyof typeof services,
      { headers: Headers; body: string }
    >;
  };

  test("is reported in headers by services that do so", async () => {
    const told = await answers("limit-warning");
    expect(told.anthropic.headers.get("anthropic-ratelimit-unified-5h-utilization")).toBe("0.93");
    expect(told["openai-chat"].headers.get("x-ratelimit-remaining-requests")).toBe("70");
    expect(told["openai-chat"].headers.get("x-ratelimit-reset-requests")).toBe("3600s");
    for (const wire of ["gemini", "openai-responses"] as const)
      expect([...told[wire].headers.keys()].filter((name) => name.includes("limit"))).toEqual([]);
  });

  test("is reported in the headers of the agent's proof, if it names some", async () => {
    const limitHeaders = ({ usedPercent }: { usedPercent: number }) => ({ "x-used": String(usedPercent) });
    const told = await answers("limit-ok", { proof: { toolCall: () => undefined, limitHeaders } });
    for (const { headers } of Object.values(told)) expect(headers.get("x-used")).toBe("20");
    expect(told.anthropic.headers.has("anthropic-ratelimit-unified-status")).toBe(false);
  });

  test("that is exhausted gives another error than too many requests", async () => {
    const told = await answers("quota");
    expect(JSON.parse(told["openai-responses"].body)).toMatchObject({
      error: { type: "usage_limit_reached", resets_in_seconds: 3_600, resets_at: expect.any(Number) },
    });
    expect(told["openai-chat"].body).toContain("per day");
    expect(told.gemini.body).toContain("PerDay");
    expect(told.anthropic.body).toContain("exceed your account's rate limit");
    for (const { headers } of Object.values(told)) expect(headers.get("retry-after")).toBe("3600");
  });
});
