import { execFile } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { conversation, keep, storeIn, testStore } from "../../test/support/store.ts";
import { Database } from "./database.ts";

const { DatabaseSync } = process.getBuiltinModule("node:sqlite");

test("creates files on first use, readable by their owner only", () => {
  const { store, folder } = testStore();
  expect(readdirSync(folder)).toEqual([]);
  keep(store, "ses_a", conversation("hello"));
  for (const name of readdirSync(folder).filter((file) => file.startsWith("reins.db")))
    expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600);
});

test("moves a file that is no database aside with a warning, and starts a new one", () => {
  const { folder } = testStore();
  const path = join(folder, "reins.db");
  writeFileSync(path, "this is no database".repeat(100));
  const store = storeIn(folder);
  expect(store.trouble).toBeUndefined();
  const [, backup] = /It was moved to (.*), and a new one was created\.$/.exec(store.takeWarning() ?? "") ?? [];
  expect(readFileSync(backup!, "utf8")).toContain("this is no database");
  expect(store.takeWarning()).toBeUndefined();
  keep(store, "ses_a", conversation("hello"));
  expect(store.sessions.list()).toHaveLength(1);
});

test("remembers damage found in use: the next process starts a new store and keeps the old file", () => {
  const { store, folder } = testStore();
  const many = Array.from({ length: 2_000 }, (_, n) => ({
    type: "notice" as const,
    level: "info" as const,
    code: "x",
    message: `${n} ${"x".repeat(200)}`,
  }));
  keep(store, "ses_a", conversation("hello", many));
  store.close();
  const path = join(folder, "reins.db");
  const bytes = readFileSync(path);
  bytes.fill(0x5a, 40 * 4096, 60 * 4096);
  writeFileSync(path, bytes);
  const damaged = storeIn(folder);
  expect(() => damaged.sessions.read("ses_a")).toThrow("damaged");
  damaged.close();
  const next = storeIn(folder);
  expect(next.sessions.list()).toEqual([]);
  expect(next.takeWarning()).toMatch("was damaged");
  expect(readdirSync(folder).filter((name) => name.includes("damaged-"))).not.toEqual([]);
});

test("a process with the damaged file open does not mark the new file", () => {
  const { store, folder } = testStore();
  keep(store, "ses_a", conversation("hello"));
  const path = join(folder, "reins.db");
  store.close();
  const old = new Database(path);
  expect(old.trouble).toBeUndefined();
  renameSync(path, `${path}.moved`);
  const broken = Object.assign(new Error("database disk image is malformed"), { errcode: 11 });
  expect(() =>
    old.reading(() => {
      throw broken;
    }),
  ).toThrow("damaged");
  old.close();
  const next = storeIn(folder);
  keep(next, "ses_b", conversation("hello"));
  next.close();
  const again = storeIn(folder);
  expect(again.sessions.list()).toHaveLength(1);
  expect(again.takeWarning()).toBeUndefined();
});

test("starts one new store when several processes find the damage at once", async () => {
  const { folder } = testStore();
  writeFileSync(join(folder, "reins.db"), "this is no database".repeat(100));
  const source = `
    const { openStore } = await import(${JSON.stringify(new URL("./index.ts", import.meta.url).href)});
    const store = openStore({ folder: process.argv[1] });
    store.breakers.set({ key: String(process.pid), until: 9e15, reason: "x" });
    store.close();`;
  const one = () => promisify(execFile)(process.execPath, ["--input-type=module", "-e", source, folder]);
  await Promise.all([one(), one(), one()]);
  expect(storeIn(folder).breakers.list()).toHaveLength(3);
  expect(readdirSync(folder).filter((name) => name.includes("damaged-"))).toHaveLength(1);
});

test("marks unknown costs when it migrates an older store", () => {
  const { store, folder } = testStore();
  store.usage.rows();
  store.close();
  const older = new DatabaseSync(join(folder, "reins.db"));
  older.exec("ALTER TABLE usage DROP COLUMN unpriced; PRAGMA user_version = 2");
  const row = older.prepare("INSERT INTO usage VALUES ('2026-11-16', 'one', ?, ?, ?, 0, 0, 0, 0, ?, 1)");
  row.run("free", 3, 100, 0);
  row.run("priced", 2, 100, 0.5);
  row.run("silent", 1, 0, 0);
  older.close();
  const costs = storeIn(folder)
    .usage.rows()
    .map(({ model, costUsd, unpriced }) => [model, costUsd, unpriced]);
  expect(costs).toEqual([
    ["free", undefined, 3],
    ["priced", 0.5, undefined],
    ["silent", 0, undefined],
  ]);
});

test("leaves a store of a newer version alone, at the start and during use", () => {
  const { store, folder } = testStore();
  keep(store, "ses_a", conversation("hello"));
  const newer = new DatabaseSync(join(folder, "reins.db"));
  newer.exec("PRAGMA user_version = 1000");
  expect(() => store.sessions.rename("ses_a", "x")).not.toThrow();
  const said: string[] = [];
  const log = store.open("ses_b", {
    cwd: "/work",
    mode: "ask",
    owner: { pid: 1, start: undefined, place: "", run: "r" },
    onTrouble: (message) => said.push(message),
  });
  log.end();
  keep(store, "ses_c", conversation("too late"));
  expect(store.trouble).toMatch("newer Reins");
  expect(() => storeIn(folder).sessions.list()).toThrow("newer Reins");
  expect(newer.prepare("SELECT count(*) AS count FROM sessions").get()).toEqual({ count: 1 });
  newer.close();
});

test.each([
  ["a file in place of the folder", (folder: string) => writeFileSync(join(folder, "x"), "")],
  ["a folder in place of the file", (folder: string) => mkdirSync(join(folder, "x", "reins.db"), { recursive: true })],
])("reports %s in one sentence, without throwing on open", (_name, prepare) => {
  const { folder } = testStore();
  prepare(folder);
  const store = storeIn(join(folder, "x"));
  expect(store.trouble).toMatch(/^Sessions are not stored: the store .* cannot be used, because .*\.$/);
  expect(() => store.sessions.list()).toThrow("Sessions are not stored");
  expect(store.takeWarning()).toBeUndefined();
});

test.skipIf(process.getuid?.() === 0)("reports a read-only folder in one sentence", () => {
  const { folder } = testStore();
  chmodSync(folder, 0o500);
  expect(storeIn(folder).trouble).toMatch("is not writable");
  expect(existsSync(join(folder, "reins.db"))).toBe(false);
});

test("two stores of one file see each other's writes", () => {
  const { store, folder } = testStore();
  const other = storeIn(folder);
  expect(other.sessions.list()).toEqual([]);
  keep(store, "ses_a", conversation("one"));
  keep(other, "ses_b", conversation("two"));
  expect(store.sessions.list()).toHaveLength(2);
  expect(other.sessions.list()).toHaveLength(2);
});

test("uses no numbered parameters, because Node 22 does not count them", () => {
  const files = readdirSync(import.meta.dirname).filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts"));
  expect(files.length).toBeGreaterThan(10);
  expect(files.filter((name) => /[ (]\?[1-9]/.test(readFileSync(join(import.meta.dirname, name), "utf8")))).toEqual([]);
});
