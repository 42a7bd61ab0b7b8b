/** `npm run translate` on our own recordings: each agent's translator keeps the laws without a process. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { agentEntries } from "../../src/agents/index.ts";
import { translateFolder } from "../translate/translate.ts";

const fixtures = join(import.meta.dirname, "../fixtures");
const recorded = agentEntries.filter(({ id }) => existsSync(join(fixtures, id)));

test.each(recorded)("translates the recordings of $name lawfully", async (entry) => {
  const reports = await translateFolder(entry, join(fixtures, entry.id));
  const bad = reports.filter(
    (report) => report.outcome === "unreadable" || ("broken" in report && report.broken.length > 0),
  );
  expect(bad).toEqual([]);
  expect(reports.filter(({ outcome }) => outcome === "translated").length).toBeGreaterThan(10);
});
