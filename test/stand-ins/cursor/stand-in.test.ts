import { once } from "node:events";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { CursorRuns, kinds, texts, type Event } from "../../support/cursor-runs.ts";
import { scenarioPrompt } from "../../../src/testing/conversation.ts";

let runs: CursorRuns;
beforeAll(async () => (runs = await CursorRuns.open()));
afterAll(() => runs[Symbol.asyncDispose]());

test("sends a text in deltas and then in full, distinguishable only by missing fields", async () => {
  const told = await runs.events(scenarioPrompt("write", "a.txt"), ["--stream-partial-output"]);
  const order = kinds(told).filter((kind, index, all) => kind !== all[index - 1]);
  expect(order).toEqual([
    ...["system/init", "user", "thinking/delta", "thinking/completed", "assistant"],
    ...["tool_call/started", "tool_call/completed", "assistant", "result/success"],
  ]);
  const [first, last] = ["I will write it.", `Done: Wrote ${join(runs.cwd, "a.txt")}.`];
  const pieces = texts(told);
  expect(pieces).toContain(`${first} @ #`);
  expect(pieces.at(-1)).toBe(last);
  const fresh = pieces.filter((text) => text.endsWith(" @")).map((text) => text.slice(0, -2));
  expect(fresh.length).toBeGreaterThan(2);
  expect(fresh.join("")).toBe(first + last);
  expect(told.at(-1)).toMatchObject({ result: first + last, usage: { inputTokens: 200, outputTokens: 40 } });
});

test("asks a client over ACP, and reports a rejected call as completed", async () => {
  const child = runs.start(["acp"]);
  const said: Event[] = [];
  let rest = "";
  const send = (message: object) => child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  child.stdout.setEncoding("utf8").on("data", (piece: string) => {
    const lines = (rest + piece).split("\n");
    rest = lines.pop() ?? "";
    for (const message of lines.map((line) => JSON.parse(line) as Event)) {
      said.push(message);
      const { method, id, result } = message as { method?: string; id?: number; result?: { sessionId: string } };
      const outcome = { outcome: "selected", optionId: "reject-once" };
      if (method === "session/request_permission") send({ id, result: { outcome } });
      const prompt = [{ type: "text", text: scenarioPrompt("shell", "touch never.txt") }];
      if (id === 2) send({ id: 3, method: "session/prompt", params: { sessionId: result?.sessionId, prompt } });
      if (id === 3) child.stdin.end();
    }
  });
  send({ id: 1, method: "initialize", params: { protocolVersion: 1 } });
  send({ id: 2, method: "session/new", params: { cwd: runs.cwd, mcpServers: [] } });
  const [code] = (await once(child, "close")) as [number];
  expect(code).toBe(0);
  const updates = said.flatMap(({ params }): Event[] => {
    const update = (params as { update?: Event } | undefined)?.update;
    return update === undefined ? [] : [update];
  });
  const calls = updates.filter(({ toolCallId }) => toolCallId !== undefined);
  expect(calls.map(({ title, status, rawOutput }) => [title, status, rawOutput])).toEqual([
    ["`touch never.txt`", "pending", undefined],
    [undefined, "completed", undefined],
  ]);
  expect(said.find(({ id, method }) => id === 3 && method === undefined)).toMatchObject({
    result: { stopReason: "end_turn" },
  });
});
