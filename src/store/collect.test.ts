import { existsSync, mkdirSync, readdirSync, utimesSync, writeFileSync } from "node:fs";
import { EventBatch } from "../core/log/event-batch.ts";
import { join } from "node:path";
import { expect, test } from "vitest";
import { about, conversation, keep, stamped, testStore } from "../../test/support/store.ts";
import type { EventPayload } from "../events/types.ts";
import { blobPath } from "./blobs.ts";

const { DatabaseSync } = process.getBuiltinModule("node:sqlite");
const output = (ref: string): EventPayload => ({
  type: "tool.completed",
  callId: "c",
  output: { text: "", bytes: 3, kept: 0, ref },
});
const longAgo = new Date("2020-01-01");

test("stores equal content once, under its hash, inside the blob folder", () => {
  const { store, folder } = testStore();
  const ref = store.blobs.put("hello")!;
  expect(store.blobs.put(Buffer.from("hello"))).toBe(ref);
  expect(ref).toBe("sha256-2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824");
  expect(Buffer.from(store.blobs.get(ref)!).toString()).toBe("hello");
  expect(readdirSync(join(folder, "blobs"))).toEqual(["2c"]);
  for (const bad of ["", "sha256-../../x", "/etc/passwd", ref.toUpperCase()])
    expect(store.blobs.get(bad)).toBeUndefined();
});

test("skips content that cannot be written, without throwing", () => {
  const { store, folder } = testStore();
  writeFileSync(join(folder, "blobs"), "");
  expect(store.blobs.put("hello")).toBeUndefined();
});

test("removes files without a reference, unless they are young", () => {
  const { store, folder } = testStore();
  const blobs = join(folder, "blobs");
  const [used, unused, young] = ["used", "unused", "young"].map((text) => store.blobs.put(text)!);
  for (const ref of [used!, unused!]) utimesSync(blobPath(blobs, ref)!, longAgo, longAgo);
  mkdirSync(join(blobs, "ff"), { recursive: true });
  keep(store, "ses_a", conversation("p", [output(used!)]));
  expect(store.collect({ dry: true })).toMatchObject({ files: 1, sessions: [] });
  expect(store.collect()).toMatchObject({ files: 1, sessions: [] });
  expect([used, unused, young].map((ref) => existsSync(blobPath(blobs, ref!)!))).toEqual([true, false, true]);
  store.sessions.remove("ses_a");
  store.collect();
  expect(existsSync(blobPath(blobs, used!)!)).toBe(false);
});

test("removes sessions by age, but none that is in use", () => {
  const { store } = testStore();
  keep(store, "ses_old", conversation("old"));
  store.open("ses_used", about()).append(new EventBatch(stamped("ses_used", conversation("used"))));
  const imported = { id: "ses_new", source: "x", cwd: "/work", createdAt: "2027-01-01T00:00:00.000Z" };
  store.sessions.add({
    ...imported,
    updatedAt: new Date(Date.now() + 1e12).toISOString(),
    events: stamped("ses_new", conversation("new", [], "demo:1:other:1")),
  });
  const days = (Date.now() - 1_800_000_000_000) / 86_400_000;
  expect(store.collect({ keepDays: days + 1 }).sessions).toEqual([]);
  const options = { keepDays: days - 1 };
  expect(store.collect({ ...options, dry: true }).sessions.map(({ id }) => id)).toEqual(["ses_old"]);
  expect(store.sessions.list()).toHaveLength(3);
  store.collect(options);
  expect(store.sessions.list().map(({ id }) => id)).toEqual(["ses_new", "ses_used"]);
});

test("removes the oldest sessions above a size limit", () => {
  const { store } = testStore();
  const big = (): EventPayload => ({ type: "notice", level: "info", code: "x", message: "x".repeat(300_000) });
  for (const id of ["ses_1", "ses_2", "ses_3"]) {
    const log = store.open(id, about());
    log.append(new EventBatch(stamped(id, conversation(id, [big()]), 1)));
    log.end();
  }
  const { bytesBefore, bytesAfter, sessions } = store.collect({ maxMb: 0.9 });
  expect(bytesBefore).toBeGreaterThan(900_000);
  expect(bytesAfter).toBeLessThan(900_000);
  expect(sessions.length).toBeGreaterThan(0);
  expect(sessions[0]?.id).toBe("ses_1");
  expect(store.sessions.get("ses_3")).toBeDefined();
});

test("runs daily collection once a day", () => {
  const { store } = testStore();
  const old = (id: string) => keep(store, id, conversation("old"));
  old("ses_1");
  const options = { keepDays: (Date.now() - 1_800_000_000_000) / 86_400_000 - 1, daily: true };
  expect(store.collect(options).sessions).toHaveLength(1);
  old("ses_2");
  expect(store.collect(options).sessions).toHaveLength(0);
  expect(store.collect({ ...options, daily: false }).sessions).toHaveLength(1);
});

test("does not count free pages of removed sessions", () => {
  const { store, folder } = testStore();
  const big: EventPayload = { type: "notice", level: "info", code: "x", message: "x".repeat(300_000) };
  for (const id of ["ses_1", "ses_2", "ses_3", "ses_4", "ses_5"]) keep(store, id, conversation(id, [big]));
  expect(store.collect({ maxMb: 1, daily: true }).sessions).not.toEqual([]);
  const left = store.sessions.list().length;
  {
    using db = new DatabaseSync(join(folder, "reins.db"));
    db.exec("UPDATE meta SET value = '1'");
  }
  expect(store.collect({ maxMb: 1, daily: true }).sessions).toEqual([]);
  expect(store.sessions.list()).toHaveLength(left);
});
