import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../../../test/support/processes.ts";
import { servicesIn, servicesInFile } from "./signed-in-services.ts";

const kept = JSON.stringify({
  anthropic: { type: "oauth", access: "made-up", refresh: "made-up", expires: 1 },
  openai: { type: "api", key: "made-up" },
  broken: "made-up",
});

test("lists services and sign-in types, and nothing else from the file", () => {
  expect(servicesIn(kept)).toEqual(["anthropic (oauth)", "openai (api)"]);
  expect(servicesIn("{}")).toEqual([]);
  for (const json of ["", "made-up", "[]", "null"]) expect(servicesIn(json)).toBeUndefined();
});

test("returns none without a file, and undefined for an unreadable file", async () => {
  using folder = temporaryFolder();
  const file = join(folder.path, "auth.json");
  expect(await servicesInFile(file)).toEqual([]);
  writeFileSync(file, kept);
  expect(await servicesInFile(file)).toHaveLength(2);
  expect(await servicesInFile(folder.path)).toBeUndefined();
});
