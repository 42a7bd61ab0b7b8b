import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { exitCodes, exitOfError, exitOfTurn } from "./exit-codes.ts";

it("has a different code for each kind of end", () => {
  expect(exitOfTurn({ outcome: "done" })).toBe("done");
  expect(exitOfTurn({ outcome: "max_turns" })).toBe("limit");
  expect(exitOfTurn({ outcome: "failed", error: { code: "quota_exhausted" } })).toBe("limit");
  expect(exitOfTurn({ outcome: "failed", error: { code: "not_authenticated" } })).toBe("notReady");
  expect(exitOfTurn({ outcome: "failed", error: { code: "agent_crashed" } })).toBe("failed");
  expect(exitOfError("model_unknown")).toBe("usage");
});

it("documents every code", () => {
  const page = readFileSync(new URL("../../docs/cli.md", import.meta.url), "utf8");
  for (const { code, meaning } of Object.values(exitCodes)) expect(page).toContain(`| ${code} | ${meaning} |`);
});
