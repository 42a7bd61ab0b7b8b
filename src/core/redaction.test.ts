import { inspect } from "node:util";
import { expect, test } from "vitest";
import { ReinsError } from "../events/errors.ts";
import { createRedactor } from "../events/redact.ts";
import { done, sessionWith } from "../../test/support/core.ts";
import { createPuppet } from "../../test/support/puppet.ts";
import { cleanError } from "./redaction.ts";

const secret = "a-secret-value";
const redact = createRedactor({ SOME_KEY: secret });

test("redacts all parts of an error and keeps the same error", () => {
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
  expect(clean.stack).toContain("redaction.test.ts");
  expect(inspect(clean, { depth: 9 })).not.toContain(secret);
});

test("wraps other errors and stops at circular causes", () => {
  const error = new Error(secret);
  error.cause = error;
  expect(cleanError(error, redact)).toMatchObject({ code: "internal", message: "[redacted]" });
  expect(cleanError(secret, redact)).toMatchObject({ code: "internal", message: "[redacted]" });
});

test("returns a frozen error that is already clean", () => {
  const error = Object.freeze(new ReinsError("timeout", "Too late."));
  expect(cleanError(error, redact)).toBe(error);
});

test("redacts secrets of one session: its variables, and variables and headers of its MCP servers", async () => {
  const secrets = [
    "one-of-the-session",
    "two-of-a-program",
    "three-in-a-header",
    "four-in-a-header",
    "five-in-a-cookie",
  ];
  const puppet = createPuppet();
  puppet.onPrompt = (agent) =>
    agent.say(
      { type: "message.completed", messageId: "m", text: `I saw ${secrets.join(", ")} and a plain word.` },
      done,
    );
  const session = await sessionWith(puppet, {
    env: { DB_PASSWORD: "one-of-the-session", PLAIN: "a plain word" },
    mcpServers: {
      program: { command: "x", env: { SOME_TOKEN: "two-of-a-program" } },
      address: {
        type: "http",
        url: "http://localhost",
        headers: {
          Authorization: "Bearer three-in-a-header",
          "X-Api-Key": "four-in-a-header",
          cookie: "five-in-a-cookie",
        },
      },
    },
  });
  const { text } = await session.prompt("what do you see?").result;
  expect(text).toBe(`I saw ${secrets.map(() => "[redacted]").join(", ")} and a plain word.`);
});

test("redacts a failure to open", async () => {
  const puppet = createPuppet();
  puppet.onOpen = () => {
    throw new Error("The password one-of-the-session was refused.");
  };
  const opening = sessionWith(puppet, { env: { DB_PASSWORD: "one-of-the-session" } });
  await expect(opening).rejects.toThrow("The password [redacted] was refused.");
});
