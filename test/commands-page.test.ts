import { expect, test } from "vitest";
import { commandsPage } from "../scripts/lib/commands-page.ts";
import { read } from "./house/source.ts";

test("docs/commands.md is what the commands define: `npm run docs` writes it", async () => {
  expect(read("docs/commands.md")).toBe(await commandsPage());
});
