import { expect, test } from "vitest";
import type { UsageRow } from "../../core/log/types.ts";
import { usageTable } from "./usage.ts";

const tokens = { input: 10, output: 5, cacheRead: 0, cacheWrite: 0, thought: 0 };
const row: UsageRow = { day: "2026-11-16", agent: "one", model: "small", turns: 1, tokens, seconds: 2 };

test("shows an unknown price as unknown and leaves it out of every sum", () => {
  const rows = [
    { ...row, unpriced: 1 },
    { ...row, model: "large", costUsd: 1.5 },
    { ...row, model: "both", turns: 2, costUsd: 0.25, unpriced: 1 },
  ];
  const lines = usageTable(rows, 7).split("\n");
  expect(lines[1]).toMatch(/small .* unknown$/);
  expect(lines[2]).toMatch(/large .* \$1\.50$/);
  expect(lines[3]).toMatch(/both .* \$0\.25 \+ unknown$/);
  expect(lines[4]).toMatch(/^in all .* \$1\.75 \+ unknown$/);
  expect(lines).toContain("“unknown” prices are not included in any sum.");
  expect(usageTable([{ ...row, costUsd: 0 }], 7)).not.toContain("unknown");
});
