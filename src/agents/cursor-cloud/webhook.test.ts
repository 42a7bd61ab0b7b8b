import { createHmac } from "node:crypto";
import { expect, test } from "vitest";
import { webhookReceiver } from "./webhook.ts";

const secret = "a-made-up-secret-of-thirty-two-chars";
const now = Date.parse("2026-04-13T18:30:00.000Z");
const told = {
  event: "statusChange",
  timestamp: "2026-04-13T18:30:00Z",
  id: "bc_abc123",
  status: "FINISHED",
  source: { repository: "https://github.com/o/r", ref: "main" },
  target: { branchName: "cursor/x", prUrl: "https://github.com/o/r/pull/1" },
  summary: "Done.",
  further: true,
};

function call(body: string, { key = secret, id = "1" }: { key?: string; id?: string } = {}) {
  const signature = `sha256=${createHmac("sha256", key).update(body).digest("hex")}`;
  return { headers: { "x-webhook-signature": signature, "x-webhook-id": id }, body: Buffer.from(body) };
}

const receiver = (key: string | undefined = secret) => webhookReceiver({ secret: () => key, now: () => now });

test("accepts a signed call once, also under another id", async () => {
  const receive = receiver();
  const body = JSON.stringify(told);
  expect(await receive(call(body))).toEqual({
    status: 200,
    event: {
      id: "bc_abc123",
      state: "cursor-cloud:1:bc_abc123",
      status: "idle",
      time: "2026-04-13T18:30:00Z",
      summary: "Done.",
      branches: [
        { repository: "https://github.com/o/r", branch: "cursor/x", pullRequest: "https://github.com/o/r/pull/1" },
      ],
    },
  });
  expect(await receive(call(body, { id: "2" }))).toEqual({ status: 200, message: "This call was already received." });
});

test("accepts a small clock difference and a late call", async () => {
  const at = (offset: number) => JSON.stringify({ ...told, timestamp: new Date(now + offset).toISOString() });
  const status = async (offset: number) => (await receiver()(call(at(offset)))).status;
  expect(await status(4 * 60_000)).toBe(200);
  expect(await status(6 * 60_000)).toBe(400);
  expect(await status(-23 * 3_600_000)).toBe(200);
  expect(await status(-25 * 3_600_000)).toBe(400);
});

test("rejects everything else", async () => {
  const receive = receiver();
  const body = JSON.stringify(told);
  expect(await receive(call(body, { key: "another secret" }))).toMatchObject({ status: 401 });
  expect(await receive({ headers: {}, body: Buffer.from(body) })).toMatchObject({ status: 401 });
  const changed = { ...call(body), body: Buffer.from(body.replace("FINISHED", "ERROR")) };
  expect(await receive(changed)).toMatchObject({ status: 401 });
  expect(await receive(call("{"))).toMatchObject({ status: 400 });
  expect(await receive(call('{"event":"statusChange"}'))).toMatchObject({ status: 400 });
  expect(await receive(call(JSON.stringify({ ...told, timestamp: "soon" })))).toMatchObject({ status: 400 });
  expect(await receive(call(" ".repeat(2 ** 21)))).toMatchObject({ status: 413 });
  expect(await receiver("")(call(body))).toMatchObject({ status: 503 });
  expect(await receive(call(JSON.stringify({ ...told, event: "other" })))).toEqual({
    status: 200,
    message: "The event other is unknown.",
  });
  const failed = { ...told, status: "ERROR", target: undefined };
  expect(await receive(call(JSON.stringify(failed)))).toMatchObject({ event: { status: "failed", branches: [] } });
});
