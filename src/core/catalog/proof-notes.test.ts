import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../../test/support/processes.ts";
import { readProofNote, writeProofNote } from "./proof-notes.ts";

test("remembers the last proof and ignores a damaged file", async () => {
  using folder = temporaryFolder();
  const env = { REINS_HOME: folder.path };
  expect(await readProofNote("one", env)).toBeUndefined();
  const note = { version: "1.2.3", at: "2026-01-01T00:00:00.000Z", proven: 7, failed: 0 };
  await writeProofNote("one", note, env);
  expect(await readProofNote("one", env)).toEqual(note);
  writeFileSync(join(folder.path, "proofs", "one.json"), '{"version":1}');
  expect(await readProofNote("one", env)).toBeUndefined();
});
