import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { hookMs, Hooks } from "./hooks.ts";

interface Said {
  readonly type: string;
  readonly request_id: string;
  readonly late?: boolean;
  readonly request?: { readonly name: string; readonly input: object; readonly used?: object };
}

let hooks: Hooks;
let said: Said[];
let news: PromiseWithResolvers<void>;

async function open(options: Partial<Parameters<typeof Hooks.open>[0]> = {}): Promise<void> {
  hooks = await Hooks.open({ maxBytes: 10_000, resumed: false, ...options });
  said = [];
  news = Promise.withResolvers();
  hooks.listen((line) => {
    said.push(JSON.parse(line) as Said);
    news.resolve();
    news = Promise.withResolvers();
  });
}
beforeEach(() => open());
afterEach(() => {
  vi.useRealTimers();
  hooks.close();
});

const post = (body: unknown, init: RequestInit = {}, url = hooks.url) =>
  fetch(url, { method: "POST", body: typeof body === "string" ? body : JSON.stringify(body), ...init });

/** The line at this index, now or when it comes. */
async function line(place: number): Promise<Said> {
  while (said.length <= place) await news.promise;
  return said[place]!;
}

const answer = (id: string, response: object) =>
  hooks.take(
    `${JSON.stringify({ type: "control_response", response: { subtype: "success", response, request_id: id } })}\n`,
  );

test("turns a hook into a line and answers it with a line", async () => {
  const asking = post({ hook_event_name: "PreToolUse", tool_name: "edit" });
  const { type, request_id, request } = await line(0);
  expect({ type, request_id }).toEqual({ type: "control_request", request_id: "hook-1" });
  expect(request).toMatchObject({ subtype: "hook", name: "PreToolUse", input: { tool_name: "edit" } });
  expect(answer(request_id, { fine: true })).toBe(true);
  expect(await (await asking).json()).toEqual({ fine: true });
  // The program no longer waits, but the answer must not reach the process either.
  expect(answer(request_id, {})).toBe(true);
  expect(said).toHaveLength(1);
});

test("passes everything else to the process", () => {
  expect(answer("some-other-id", {})).toBe(false);
  expect(hooks.take('{"type":"user","message":"hook-1"}\n')).toBe(false);
});

test("delivers hooks posted before anybody reads", async () => {
  hooks.close();
  hooks = await Hooks.open({ maxBytes: 10_000, resumed: false });
  const asking = post({ hook_event_name: "SessionStart" });
  // Once these requests are answered, the hook has arrived.
  for (let times = 0; times < 5; times++) await fetch(new URL(hooks.url).origin);
  const heard = Promise.withResolvers<string>();
  hooks.listen(heard.resolve);
  expect(await heard.promise).toContain("SessionStart");
  answer("hook-1", {});
  await asking;
});

test("rejects requests without the secret address", async () => {
  const { origin } = new URL(hooks.url);
  for (const path of ["/", "/wrong", "/".padEnd(new URL(hooks.url).pathname.length, "a")])
    expect((await post({ hook_event_name: "PreToolUse" }, {}, origin + path)).status).toBe(404);
  expect((await fetch(hooks.url)).status).toBe(404);
  expect(said).toEqual([]);
  expect(new URL(hooks.url).hostname).toBe("127.0.0.1");
});

test.for([["no JSON"], [JSON.stringify({ hook_event_name: "PreToolUse", tool_input: "x".repeat(20_000) })]])(
  "blocks a tool that cannot be parsed: %#",
  async ([body]) => {
    expect(await (await post(body)).json()).toMatchObject({ hookSpecificOutput: { permissionDecision: "deny" } });
    expect(said).toEqual([]);
  },
);

test.for([
  ["PreToolUse", {}, { hookSpecificOutput: { permissionDecision: "deny" } }],
  ["PermissionRequest", { agent_id: "a-1" }, { hookSpecificOutput: { decision: { behavior: "deny" } } }],
  // The permission is then asked over the wire.
  ["PermissionRequest", {}, {}],
] as const)("answers %s (%j) with %j at the deadline, before the program continues", async ([name, more, told]) => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const asking = post({ hook_event_name: name, ...more });
  const { request_id } = await line(0);
  vi.advanceTimersByTime(hookMs);
  expect(await line(1)).toEqual({ type: "control_cancel_request", request_id, late: true });
  expect(await (await asking).json()).toMatchObject(told);
});

test("withdraws a hook when the program no longer waits", async () => {
  const gone = new AbortController();
  const asking = post({ hook_event_name: "PreToolUse" }, { signal: gone.signal }).catch(() => "gone");
  const { request_id } = await line(0);
  gone.abort();
  expect(await asking).toBe("gone");
  expect(await line(1)).toEqual({ type: "control_cancel_request", request_id, late: false });
});

test("reports earlier usage at the start of a resumed conversation", async () => {
  hooks.close();
  const folder = await mkdtemp(join(tmpdir(), "reins-test-"));
  const path = join(folder, "t.jsonl");
  const uiEvent = { "event.name": "qwen-code.api_response", input_token_count: 10, output_token_count: 2 };
  await writeFile(path, `${JSON.stringify({ subtype: "ui_telemetry", systemPayload: { uiEvent } })}\n`);
  await open({ resumed: true });
  const asking = post({ hook_event_name: "SessionStart", transcript_path: path });
  expect((await line(0)).request?.used).toEqual({ input: 10, output: 2, cacheRead: 0 });
  answer("hook-1", {});
  await asking;
  await rm(folder, { recursive: true });
});
