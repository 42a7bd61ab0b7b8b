import { expect, test } from "vitest";
import { configurationJsonSchema } from "../../src/core/config/config-schema.ts";
import { read } from "./source.ts";

const file = "docs/reins.config.schema.json";

test("the published schema matches the code (`npm run docs` writes it)", () => {
  expect(JSON.parse(read(file))).toEqual(configurationJsonSchema());
});

test("the package contains the schema", () => {
  const { files, exports } = JSON.parse(read("package.json")) as { files: string[]; exports: Record<string, unknown> };
  expect(files.some((one) => file === one || file.startsWith(`${one}/`))).toBe(true);
  expect(Object.values(exports)).toContain(`./${file}`);
});

test("docs/configuration.md describes every key of the schema", () => {
  const { properties } = JSON.parse(read(file)) as { properties: Record<string, unknown> };
  const page = read("docs/configuration.md");
  expect(Object.keys(properties).filter((key) => !page.includes(`\`${key}\``))).toEqual([]);
});
