import { appendFile, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { Transcript } from "./transcript.ts";

let folder: string;
let path: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "reins-test-"));
  path = join(folder, "t.jsonl");
});
afterEach(() => rm(folder, { recursive: true }));

const line = (name: string, more: object) =>
  `${JSON.stringify({ subtype: "ui_telemetry", systemPayload: { uiEvent: { "event.name": `qwen-code.${name}`, ...more } } })}\n`;
const failed = (status_code: number | undefined, error_message = "no", more = {}) =>
  line("api_error", { status_code, error_message, ...more });
const answered = (input_token_count: number, output_token_count: number, cached_content_token_count = 0) =>
  line("api_response", { input_token_count, output_token_count, cached_content_token_count });

test("reads the usage so far", async () => {
  const transcript = new Transcript(path);
  expect(await transcript.used()).toEqual({ input: 0, output: 0, cacheRead: 0 });
  await writeFile(path, `${answered(100, 20)}not JSON qwen-code.api_response\n${failed(500)}${answered(50, 5, 30)}`);
  expect(await transcript.used()).toEqual({ input: 120, output: 25, cacheRead: 30 });
});

test("reads new failures and counts them until a request succeeds", async () => {
  await writeFile(path, failed(500));
  const transcript = new Transcript(path);
  await transcript.begin();
  expect(await transcript.failures()).toEqual([]);
  await appendFile(path, failed(429, "slow") + failed(503) + failed(401) + failed(500, "", { subagent_id: "x" }));
  expect(await transcript.failures()).toEqual([
    { attempt: 1, status: 429, said: "slow" },
    { attempt: 2, status: 503, said: "no" },
  ]);
  expect(await transcript.failures()).toEqual([]);
  await appendFile(path, answered(1, 1) + failed(undefined));
  expect(await transcript.failures()).toEqual([{ attempt: 1, status: undefined, said: "no" }]);
});

test("reads a partial line once it is complete", async () => {
  const transcript = new Transcript(path);
  await transcript.begin();
  const whole = failed(500);
  await writeFile(path, whole.slice(0, 40));
  expect(await transcript.failures()).toEqual([]);
  await appendFile(path, whole.slice(40));
  expect(await transcript.failures()).toHaveLength(1);
});

test("joins two concurrent reads", async () => {
  const transcript = new Transcript(path);
  await writeFile(path, failed(500));
  const [one, other] = await Promise.all([transcript.failures(), transcript.failures()]);
  expect([...one, ...other]).toHaveLength(1);
});
