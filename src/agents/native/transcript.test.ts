import { appendFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ModelMessage } from "ai";
import { expect, onTestFinished, test } from "vitest";
import { createRedactor } from "../../events/redact.ts";
import {
  historyMessages,
  messageFor,
  resultsFor,
  toolMessage,
  readTranscript,
  sessionsFolder,
  Transcript,
} from "./transcript.ts";

const id = "0b7f9c1e-1f43-4c8e-9f52-9c1d2a3b4c5d";
const user = (content: string): ModelMessage => ({ role: "user", content });
const calling: ModelMessage = {
  role: "assistant",
  content: [
    { type: "text", text: "I look." },
    { type: "tool-call", toolCallId: "c1", toolName: "read", input: { path: "a" } },
    { type: "tool-call", toolCallId: "c2", toolName: "shell", input: { command: "b" } },
  ],
};

function place(more: Record<string, string> = {}) {
  const home = mkdtempSync(join(tmpdir(), "reins-transcript-"));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const env = { REINS_HOME: home, ...more };
  return { env, cwd: home, redact: createRedactor(env), file: join(sessionsFolder(env), `${id}.ndjson`) };
}

test("writes nothing before the first message, and then everything, readable by this user only", async () => {
  const { env, cwd, redact, file } = place();
  const transcript = new Transcript({
    id,
    cwd,
    env,
    redact,
    before: historyMessages([{ role: "person", text: "Earlier." }]),
  });
  expect(readdirSync(cwd)).toEqual([]);
  await transcript.add(user("Hello."));
  expect(await readTranscript(env, id)).toEqual([user("Earlier."), user("Hello.")]);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(statSync(sessionsFolder(env)).mode & 0o777).toBe(0o700);
});

test("writes a file that somebody removed again", async () => {
  const { env, cwd, redact, file } = place();
  const transcript = new Transcript({ id, cwd, env, redact });
  await transcript.add(user("Hello."));
  rmSync(file);
  await transcript.add(user("Again."));
  expect(await readTranscript(env, id)).toEqual([user("Again.")]);
  await transcript.add(user("Late."));
  expect(await readTranscript(env, id)).toEqual([user("Again."), user("Late.")]);
});

test("skips a torn last line, and starts a new line after it", async () => {
  const { env, cwd, redact, file } = place();
  await new Transcript({ id, cwd, env, redact }).add(user("Hello."), calling);
  appendFileSync(file, '{"message":{"role":"to');
  const written = await readTranscript(env, id);
  expect(written).toEqual([user("Hello."), calling]);
  await new Transcript({ id, cwd, env, redact, written }).add(user("Again."));
  expect(await readTranscript(env, id)).toEqual([user("Hello."), calling, user("Again.")]);
});

test("adds a result to an unfinished call, and keeps existing ones", async () => {
  const { env, cwd, redact } = place();
  const transcript = new Transcript({ id, cwd, env, redact });
  await transcript.add(calling, toolMessage({ toolCallId: "c1", toolName: "read" }, "text", false));
  await transcript.settle("Cut.");
  await transcript.settle("Cut again.");
  const written = await readTranscript(env, id);
  expect(written).toHaveLength(3);
  expect(written[2]).toEqual(toolMessage({ toolCallId: "c2", toolName: "shell" }, "Cut.", true));
  expect(resultsFor(written, "x")).toEqual([]);
});

test("reads only the compacted messages after a compaction", async () => {
  const { env, cwd, redact } = place();
  const transcript = new Transcript({ id, cwd, env, redact });
  await transcript.add(user("One."), user("Two."));
  await transcript.compact([user("Both.")]);
  await transcript.add(user("Three."));
  expect(transcript.messages).toEqual([user("Both."), user("Three.")]);
  expect(await readTranscript(env, id)).toEqual([user("Both."), user("Three.")]);
});

test("redacts secrets and keeps signatures", async () => {
  const secret = "canary-secret-0123456789";
  const { env, cwd, redact, file } = place({ SOME_KEY: secret });
  const signed = { anthropic: { signature: secret } };
  const thought: ModelMessage = {
    role: "assistant",
    content: [
      { type: "reasoning", text: `It is ${secret}`, providerOptions: signed },
      { type: "tool-call", toolCallId: "c", toolName: "shell", input: { command: `echo ${secret}` } },
    ],
  };
  const transcript = new Transcript({ id, cwd, env, redact });
  await transcript.add(
    user(`The key is ${secret}.`),
    thought,
    toolMessage({ toolCallId: "c", toolName: "shell" }, secret, false),
  );
  const text = readFileSync(file, "utf8");
  expect(text.split(secret)).toHaveLength(2);
  expect(text).toContain(JSON.stringify({ providerOptions: signed }).slice(1, -1));
  // The session continues to send the original text.
  expect(JSON.stringify(transcript.messages).split(secret).length).toBeGreaterThan(4);
});

test("reports a missing transcript as not found", async () => {
  const { env } = place();
  await expect(readTranscript(env, id)).rejects.toMatchObject({ code: "session_not_found" });
});

test("sends a service only its own signatures", () => {
  const google = { google: { thoughtSignature: "x" } };
  const said: ModelMessage = {
    role: "assistant",
    content: [
      { type: "reasoning", text: "hm", providerOptions: { anthropic: { signature: "y" } } },
      { type: "text", text: "Yes." },
      { type: "tool-call", toolCallId: "c", toolName: "read", input: {}, providerOptions: google },
    ],
  };
  const content = (service: string) =>
    (messageFor(service, said)!.content as { type: string; providerOptions?: unknown }[]).map(
      ({ type, providerOptions }) => [type, providerOptions],
    );
  expect(content("anthropic")).toEqual([
    ["reasoning", { anthropic: { signature: "y" } }],
    ["text", undefined],
    ["tool-call", undefined],
  ]);
  expect(content("google")).toEqual([
    ["text", undefined],
    ["tool-call", google],
  ]);
  expect(content("compatible")).toEqual([
    ["text", undefined],
    ["tool-call", undefined],
  ]);
  const news = { role: "assistant", content: [{ type: "custom", kind: "a.b" }] } as ModelMessage;
  expect(messageFor("anthropic", news)).toBeUndefined();
  expect(messageFor("anthropic", user("Hello."))).toEqual(user("Hello."));
});
