import { inspect } from "node:util";
import { expect, test } from "vitest";
import { ReinsError } from "../events/errors.ts";
import { createRedactor } from "../events/redact.ts";
import { cleanError } from "./clean-error.ts";

const secret = "a-secret-value";
const redact = createRedactor({ SOME_KEY: secret });

test("no part of an error shows a secret, and it stays the error it was", () => {
  const cause = new Error(`inner ${secret}`, { cause: { said: [secret] } });
  const error = new ReinsError("protocol_error", `outer ${secret}`, { help: `Use ${secret}.`, agent: "x", cause });
  const clean = cleanError(error, redact);
  expect(clean).toBe(error);
  expect(clean).toMatchObject({
    code: "protocol_error",
    message: "outer [redacted]",
    help: "Use [redacted].",
    agent: "x",
  });
  expect(clean.stack).toContain("clean-error.test.ts");
  expect(inspect(clean, { depth: 9 })).not.toContain(secret);
});

test("what is no ReinsError becomes one, and what causes itself has an end", () => {
  const error = new Error(secret);
  error.cause = error;
  expect(cleanError(error, redact)).toMatchObject({ code: "internal", message: "[redacted]" });
  expect(cleanError(secret, redact)).toMatchObject({ code: "internal", message: "[redacted]" });
});

test("a frozen error is let through as far as it is clean", () => {
  const error = Object.freeze(new ReinsError("timeout", "Too late."));
  expect(cleanError(error, redact)).toBe(error);
});
