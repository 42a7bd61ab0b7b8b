import { closeSync, fstatSync, mkdirSync, openSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../../test/support/processes.ts";
import { Ledger, readLedger } from "./ledger.ts";

const owner = { run: "run", pid: process.pid, start: "1", place: "here" };
/** Long enough that the next line makes the ledger rewrite itself. */
const long = { child: "long", agent: "a".repeat(70_000) };

test("never writes to another file when it cannot be rewritten", () => {
  using folder = temporaryFolder();
  const run = join(folder.path, "run");
  const ledger = new Ledger(run, owner);
  ledger.intend(long);
  rmSync(run, { recursive: true });
  expect(() => ledger.intend({ child: "one", agent: "a" })).toThrow("ENOENT");
  // Gets the lowest free file descriptor, which would be the ledger's if that were closed.
  const other = openSync(join(folder.path, "other"), "w");
  try {
    expect(() => ledger.intend({ child: "two", agent: "a" })).toThrow("ENOENT");
    ledger.gone({ child: "two", agent: "a" });
    expect(fstatSync(other).size).toBe(0);
    mkdirSync(run);
    ledger.intend({ child: "three", agent: "a", session: "s" });
    expect(readFileSync(ledger.path, "utf8")).toContain("three");
    ledger.remove();
    expect(fstatSync(other).size).toBe(0);
  } finally {
    closeSync(other);
  }
});

test("contains only running children after a rewrite", () => {
  using folder = temporaryFolder();
  const ledger = new Ledger(folder.path, owner);
  ledger.intend({ child: "alive", agent: "a" });
  ledger.started({ child: "alive", agent: "a", pid: 77, start: "9" });
  ledger.intend(long);
  ledger.gone(long);
  ledger.intend({ child: "next", agent: "a" });
  expect(readFileSync(ledger.path, "utf8")).not.toContain("long");
  expect(readLedger(ledger.path)?.children).toMatchObject([{ pid: 77, start: "9" }]);
  ledger.remove();
});
