import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { agentEntries } from "../../src/agents/index.ts";
import { agentsPage } from "../../scripts/lib/agents-page.ts";
import { read, root } from "./source.ts";

test("docs/agents.md matches the agents' declarations (`npm run docs` writes it)", async () => {
  expect(read("docs/agents.md")).toBe(await agentsPage());
});

test("every installable agent has a documentation page", () => {
  const missing = agentEntries.filter(
    ({ id, builtIn }) => !builtIn && !existsSync(join(root, "docs/agents", `${id}.md`)),
  );
  expect(missing.map(({ id }) => id)).toEqual([]);
});
