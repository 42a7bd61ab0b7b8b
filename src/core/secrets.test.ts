import { expect, test } from "vitest";
import { done, sessionWith } from "../../test/support/core.ts";
import { createPuppet } from "../../test/support/puppet.ts";

test("secrets of one session are taken out too: its variables, and those and the headers of its MCP servers", async () => {
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

test("a failure to open says none of them", async () => {
  const puppet = createPuppet();
  puppet.onOpen = () => {
    throw new Error("The password one-of-the-session was refused.");
  };
  const opening = sessionWith(puppet, { env: { DB_PASSWORD: "one-of-the-session" } });
  await expect(opening).rejects.toThrow("The password [redacted] was refused.");
});
