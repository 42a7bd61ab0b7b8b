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

test("services and how, and nothing else of what is kept", () => {
  expect(servicesIn(kept)).toEqual(["anthropic (oauth)", "openai (api)"]);
  expect(servicesIn("{}")).toEqual([]);
  for (const json of ["", "made-up", "[]", "null"]) expect(servicesIn(json)).toBeUndefined();
});

test("no file is nobody, and one that cannot be read is not known", async () => {
  using folder = temporaryFolder();
  const file = join(folder.path, "auth.json");
  expect(await servicesInFile(file)).toEqual([]);
  writeFileSync(file, kept);
  expect(await servicesInFile(file)).toHaveLength(2);
  expect(await servicesInFile(folder.path)).toBeUndefined();
});
