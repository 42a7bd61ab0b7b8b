import * as fs from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { temporaryFolder, testProcesses } from "../../../test/support/processes.ts";
import { recordsFolder, recordsIn } from "./records.ts";
import type { BorrowSpec, Processes } from "../types.ts";

const mark = "<ours>";
const theirs = "\uFEFF{\r\n\t// mine\r\n}\n";

function scene(): Disposable & { home: string; root: string; file: string; spec: BorrowSpec; start(): Processes } {
  const folder = temporaryFolder();
  const [home, root] = [join(folder.path, "home"), join(folder.path, "root")];
  fs.mkdirSync(root);
  let runs = 0;
  return {
    home,
    root,
    file: join(root, "a", "b.json"),
    spec: {
      agent: "test",
      root,
      path: "a/b.json",
      change: (before) => `${before ?? ""}${mark}`,
      shares: (installed) => installed.includes(mark),
      retract: (now) => now.replaceAll(mark, "") || undefined,
    },
    start: () => testProcesses(home, { runId: `lent-${process.pid}-${++runs}` }),
    [Symbol.dispose]: () => folder[Symbol.dispose](),
  };
}

const filesOf = (processes: Processes) => processes.files!;
const read = (file: string): string | undefined => (fs.existsSync(file) ? fs.readFileSync(file, "utf8") : undefined);
function put(file: string, text: string, mode = 0o640): void {
  fs.mkdirSync(join(file, ".."), { recursive: true });
  fs.writeFileSync(file, text);
  fs.chmodSync(file, mode);
}

describe("a borrowed file", () => {
  test("is restored byte for byte, with its mode", async () => {
    using at = scene();
    put(at.file, theirs);
    const processes = at.start();
    const borrowed = await filesOf(processes).borrow(at.spec);
    expect([borrowed.content, read(at.file)]).toEqual([`${theirs}${mark}`, `${theirs}${mark}`]);
    expect(filesOf(processes).list("test")).toMatchObject([{ kept: false, sessions: 1 }]);
    borrowed.giveBack();
    borrowed.giveBack();
    expect(read(at.file)).toBe(theirs);
    expect(fs.statSync(at.file).mode & 0o777).toBe(0o640);
    expect(fs.readdirSync(join(at.root, "a"))).toEqual(["b.json"]);
    expect(recordsIn(recordsFolder(at.home))).toEqual([]);
  });

  test("that did not exist is removed, with the folders created for it unless they hold other files", async () => {
    using at = scene();
    const first = await filesOf(at.start()).borrow(at.spec);
    first.giveBack();
    expect(fs.readdirSync(at.root)).toEqual([]);
    const second = await filesOf(at.start()).borrow(at.spec);
    put(join(at.root, "a", "theirs"), "x");
    second.giveBack();
    expect(fs.readdirSync(join(at.root, "a"))).toEqual(["theirs"]);
  });

  test("is shared by sessions and Reins processes, and restored by the last one", async () => {
    using at = scene();
    put(at.file, theirs);
    const [one, other] = [at.start(), at.start()];
    const [a, b] = [await filesOf(one).borrow(at.spec), await filesOf(one).borrow(at.spec)];
    const c = await filesOf(other).borrow(at.spec);
    expect(read(at.file)).toBe(`${theirs}${mark}`);
    expect(filesOf(one).list("test")).toMatchObject([{ sessions: 3 }]);
    a.giveBack();
    await one.close();
    expect(read(at.file)).toBe(`${theirs}${mark}`);
    b.giveBack();
    c.giveBack();
    expect(read(at.file)).toBe(theirs);
  });

  test("is not shared by sessions that need different content", async () => {
    using at = scene();
    const processes = at.start();
    const borrowed = await filesOf(processes).borrow(at.spec);
    await expect(filesOf(processes).borrow({ ...at.spec, shares: () => false })).rejects.toMatchObject({
      code: "session_busy",
    });
    borrowed.giveBack();
    expect(fs.existsSync(at.file)).toBe(false);
  });

  test("that the user changed keeps the change and loses only the entries of Reins", async () => {
    using at = scene();
    put(at.file, theirs);
    const processes = at.start();
    const borrowed = await filesOf(processes).borrow(at.spec);
    fs.writeFileSync(at.file, `new ${mark} words`);
    borrowed.giveBack();
    expect(read(at.file)).toBe("new  words");
    // A second borrower that comes after the change must restore the changed file.
    const first = await filesOf(processes).borrow(at.spec);
    fs.writeFileSync(at.file, `again ${mark}`);
    const second = await filesOf(at.start()).borrow(at.spec);
    expect(read(at.file)).toBe(`again ${mark}`);
    first.giveBack();
    second.giveBack();
    expect(read(at.file)).toBe("again ");
  });

  test.each([
    ["deleted", (file: string) => fs.rmSync(file), undefined],
    ["restored by the user", (file: string) => fs.writeFileSync(file, theirs), theirs],
  ])("that is %s stays so", async (_what, change, expected) => {
    using at = scene();
    put(at.file, theirs);
    const borrowed = await filesOf(at.start()).borrow(at.spec);
    change(at.file);
    borrowed.giveBack();
    expect(read(at.file)).toBe(expected);
    expect(recordsIn(recordsFolder(at.home))).toEqual([]);
  });

  test("is not restored through a link that replaced it or its folder", async () => {
    using at = scene();
    put(at.file, theirs);
    const outside = join(at.home, "outside");
    const borrowed = await filesOf(at.start()).borrow(at.spec);
    put(outside, `${theirs}${mark}`);
    fs.rmSync(at.file);
    fs.symlinkSync(outside, at.file);
    borrowed.giveBack();
    expect(read(outside)).toBe(`${theirs}${mark}`);

    fs.rmSync(join(at.root, "a"), { recursive: true });
    const again = await filesOf(at.start()).borrow(at.spec);
    fs.rmSync(join(at.root, "a"), { recursive: true });
    put(join(at.home, "elsewhere", "b.json"), mark);
    fs.symlinkSync(join(at.home, "elsewhere"), join(at.root, "a"));
    again.giveBack();
    expect(read(join(at.home, "elsewhere", "b.json"))).toBe(mark);
  });

  test("that is kept stays changed until it is discarded", async () => {
    using at = scene();
    put(at.file, theirs);
    const [one, other] = [at.start(), at.start()];
    await filesOf(one).keep(at.spec);
    await filesOf(one).keep(at.spec);
    await one.close();
    const borrowed = await filesOf(other).borrow(at.spec);
    expect(filesOf(other).list("test")).toMatchObject([{ kept: true, sessions: 1 }]);
    borrowed.giveBack();
    expect(read(at.file)).toBe(`${theirs}${mark}`);
    filesOf(other).discard(at.spec);
    expect(read(at.file)).toBe(theirs);
  });
});

describe("a file that Reins does not borrow", () => {
  test.each<[string, (file: string, root: string) => void, RegExp]>([
    ["a link", (file, root) => fs.symlinkSync(join(root, "x"), file), /is a link/],
    ["a folder", (file) => fs.mkdirSync(file), /is not a file/],
    [
      "a hard link with a second name",
      (file) => (put(file, theirs), fs.linkSync(file, `${file}2`)),
      /several hard links/,
    ],
    ["too large", (file) => put(file, "x".repeat(1024 * 1024 + 1)), /too large/],
    ["read-only", (file) => put(file, theirs, 0o444), /is read-only/],
    ["not UTF-8", (file) => fs.writeFileSync(file, Buffer.from([0xff, 0x7b])), /not UTF-8/],
  ])("is %s", async (_what, make, why) => {
    using at = scene();
    fs.mkdirSync(join(at.root, "a"));
    make(at.file, at.root);
    const before = fs.lstatSync(at.file).isFile() ? fs.readFileSync(at.file) : undefined;
    await expect(filesOf(at.start()).borrow(at.spec)).rejects.toThrow(why);
    if (before !== undefined) expect(fs.readFileSync(at.file).equals(before)).toBe(true);
    expect(recordsIn(recordsFolder(at.home))).toEqual([]);
  });

  test("is in a folder that is a link or not writable", async () => {
    using at = scene();
    fs.mkdirSync(join(at.root, "real"));
    fs.symlinkSync(join(at.root, "real"), join(at.root, "a"));
    await expect(filesOf(at.start()).borrow(at.spec)).rejects.toThrow(/is a link/);
    fs.rmSync(join(at.root, "a"));
    fs.mkdirSync(join(at.root, "a"), { mode: 0o500 });
    await expect(filesOf(at.start()).borrow(at.spec)).rejects.toThrow(/read-only|is not writable/);
    expect(fs.readdirSync(join(at.root, "real"))).toEqual([]);
  });

  test("is one whose change function throws", async () => {
    using at = scene();
    put(at.file, theirs);
    const change = (): string => {
      throw new Error("broken");
    };
    await expect(filesOf(at.start()).borrow({ ...at.spec, change })).rejects.toThrow("broken");
    expect(read(at.file)).toBe(theirs);
    expect(recordsIn(recordsFolder(at.home))).toEqual([]);
  });
});

test("ignores a broken record and a root folder that is gone", async () => {
  using at = scene();
  const processes = at.start();
  const borrowed = await filesOf(processes).borrow(at.spec);
  fs.rmSync(at.root, { recursive: true });
  borrowed.giveBack();
  expect(recordsIn(recordsFolder(at.home))).toEqual([]);
  fs.writeFileSync(join(recordsFolder(at.home), "broken.json"), "{");
  await processes.reap();
  await filesOf(processes).recover("test", at.spec.retract);
  fs.mkdirSync(at.root);
  (await filesOf(processes).borrow(at.spec)).giveBack();
  expect(fs.readdirSync(at.root)).toEqual([]);
});
