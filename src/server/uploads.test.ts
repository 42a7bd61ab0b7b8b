import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { apiServer, type TestServer } from "../../test/support/api-server.ts";
import { rawRequest } from "../../test/support/raw-request.ts";
import { usualLimits } from "./limits.ts";
import { Uploads } from "./uploads.ts";

const bytes = new TextEncoder().encode("PNG");

function uploads(limits: Partial<typeof usualLimits> = {}): { kept: Uploads; pass: (ms: number) => void } {
  let now = 0;
  const kept = new Uploads({ ...usualLimits, ...limits }, () => now);
  onTestFinished(() => kept.removeAll());
  return { kept, pass: (ms) => (now += ms) };
}

test("keeps an unused upload for an hour, and a used one until its session is closed or for a day", () => {
  const { kept, pass } = uploads();
  const [unused, used, old] = ["a.png", "b.png", "c.png"].map((name) => kept.get(kept.add(bytes, name).id));
  kept.used([used!.id], "ses_1");
  kept.used([old!.id], "ses_2");
  pass(60 * 60 * 1000);
  kept.removeOld();
  expect([unused, used, old].map((one) => existsSync(one!.path))).toEqual([false, true, true]);
  expect(() => kept.get(unused!.id)).toThrow(`There is no upload ${unused!.id}.`);
  kept.closed("ses_1");
  expect([used, old].map((one) => existsSync(one!.path))).toEqual([false, true]);
  pass(24 * 60 * 60 * 1000);
  kept.removeOld();
  expect(existsSync(old!.path)).toBe(false);
});

test("limits the number and size of uploads, and removed ones free space", () => {
  const { kept, pass } = uploads({ uploads: 2, uploadsBytes: 10 });
  const [one] = [kept.add(bytes), kept.add(bytes)];
  expect(() => kept.add(bytes)).toThrow("There is no more room for uploads.");
  kept.used([one.id], "ses_1");
  kept.closed("ses_1");
  expect(() => kept.add(new Uint8Array(8))).toThrow("There is no more room for uploads.");
  kept.add(new Uint8Array(7));
  pass(60 * 60 * 1000);
  kept.add(new Uint8Array(10));
});

test("uses only the extension of the name, in a private file", () => {
  const { kept } = uploads();
  const at = (name: string): string => kept.get(kept.add(bytes, name).id).path;
  expect(at("../../a.PNG")).toMatch(/\/reins-uploads-\d+-\w+\/upl_[0-9a-f]{24}\.PNG$/);
  expect(at("a.b/../c")).toMatch(/\/upl_[0-9a-f]{24}$/);
  expect(at("x.\0y")).toMatch(/\/upl_[0-9a-f]{24}$/);
  const path = at("a.txt");
  expect([statSync(path).mode & 0o777, statSync(dirname(path)).mode & 0o777]).toEqual([0o600, 0o700]);
  kept.removeAll();
  expect(existsSync(dirname(path))).toBe(false);
});

async function upload(server: TestServer): Promise<string> {
  const { status, body } = await server.call("/api/uploads?name=a.txt", {
    body: "some text",
    headers: { "content-type": "text/markdown" },
  });
  expect([status, body]).toEqual([201, { id: body.id, name: "a.txt", mediaType: "text/markdown", bytes: 9 }]);
  return body.id as string;
}

test("passes an upload to a prompt and removes it when the session is closed", async () => {
  const server = await apiServer();
  const id = await upload(server);
  const prompt = { text: "say hi", attachments: [{ kind: "upload", id }] };
  const session = await server.session();
  const turns = `/api/sessions/${session.id}/turns`;
  const turn = await server.call(turns, { body: { prompt } });
  expect([turn.status, turn.body.session]).toEqual([202, session.id]);
  const events = await server.until(session.id, ({ type }) => type === "turn.completed");
  expect(events.find(({ type }) => type === "turn.started")).toMatchObject({
    input: {
      text: "say hi",
      attachments: [{ kind: "file", name: "a.txt", path: expect.stringMatching(`${id}.txt$`) as string }],
    },
  });
  await server.call(`/api/sessions/${session.id}/close`, { body: {} });
  const gone = await server.call(turns, { body: { prompt } });
  expect([gone.status, gone.body.error.message]).toEqual([400, `There is no upload ${id}.`]);
});

test("refuses an overlong upload by its declared and by its actual size", async () => {
  const server = await apiServer({ limits: { uploadBytes: 1024 * 1024 } });
  const headers = { authorization: `Bearer ${server.tokens.own}`, "content-type": "image/png" };
  const body = "x".repeat(1024 * 1024 + 1);
  const said = { ...headers, "content-length": String(body.length) };
  const counted = { ...headers, "transfer-encoding": "chunked" };
  for (const [one, sent] of [
    [said, "x"],
    [counted, body],
  ] as const) {
    const { status, text } = await rawRequest(server.port, "/api/uploads", one, { method: "POST", body: sent });
    expect([status, JSON.parse(text)]).toMatchObject([413, { error: { message: "The body is larger than 1 MB." } }]);
  }
  expect((await server.call("/api/sessions", { body: {}, token: "x" })).status).toBe(401);
  expect(readdirSync(server.cwd)).toEqual([]);
});

test("removes uploads of a killed server, and keeps those of a running one", async () => {
  const { kept } = uploads();
  const used = kept.get(kept.add(bytes).id);
  const left = mkdtempSync(join(tmpdir(), `reins-uploads-${spawnSync("true").pid}-`));
  writeFileSync(join(left, "upl_1.png"), bytes);
  for (const folder of [left, dirname(used.path)]) utimesSync(folder, 0, 0);
  await apiServer();
  await expect.poll(() => existsSync(left)).toBe(false);
  expect(existsSync(used.path)).toBe(true);
});
