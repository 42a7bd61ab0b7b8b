import { describe, expect, it } from "vitest";
import { errorCodes, errorInfo, errorTable, isReinsError, ReinsError, toReinsError } from "./errors.ts";

describe("errorTable", () => {
  it.each(errorCodes)("describes %s in a sentence", (code) => {
    expect(errorTable[code].meaning).toMatch(/^[A-Z].*\.$/);
    expect(new ReinsError(code, "x").retryable).toBe(errorTable[code].retryable);
  });
});

describe("ReinsError", () => {
  it("writes only the known fields to JSON", () => {
    expect(JSON.stringify(new ReinsError("network", "The line is dead."))).toBe(
      '{"code":"network","message":"The line is dead.","retryable":true}',
    );
    const details = { agent: "demo", resetsAt: "2026-11-15T20:00:00.000Z", help: "Wait.", retryable: false };
    expect(new ReinsError("rate_limited", "Slow down.", details).toJSON()).toEqual({
      code: "rate_limited",
      message: "Slow down.",
      ...details,
    });
  });

  it("keeps its cause, and has no cause property without one", () => {
    const cause = new Error("inner");
    expect(new ReinsError("internal", "x", { cause }).cause).toBe(cause);
    expect(Object.hasOwn(new ReinsError("internal", "x"), "cause")).toBe(false);
  });

  it("recognises an error from another copy of the package by its code", () => {
    expect(isReinsError(Object.assign(new Error("x"), { code: "timeout" }))).toBe(true);
    expect(isReinsError(Object.assign(new Error("x"), { code: "ENOENT" }))).toBe(false);
    expect(isReinsError(new Error("x"))).toBe(false);
    expect(isReinsError({ code: "timeout" })).toBe(false);
    expect(isReinsError(undefined)).toBe(false);
  });
});

describe("toReinsError", () => {
  it("returns a ReinsError unchanged", () => {
    const error = new ReinsError("cancelled", "x");
    expect(toReinsError(error)).toBe(error);
  });

  it("turns everything else into an internal error", () => {
    const cause = new TypeError("no such thing");
    expect(toReinsError(cause)).toMatchObject({ code: "internal", message: "no such thing", cause });
    expect(errorInfo(toReinsError("text"))).toEqual({ code: "internal", message: "text", retryable: false });
  });
});
