import { expect, test } from "vitest";
import { cloudBadge, readCloudMark, repositoryName, targetWords } from "./cloud.ts";

test.each([
  ["& fix the test", "cloud", "fix the test"],
  ["&fix the test", "cloud", "fix the test"],
  ["&\n fix\n the test", "cloud", "fix\n the test"],
  ["& fix  \n", "cloud", "fix  \n"],
  [String.raw`\& fix`, "agent", "& fix"],
  [String.raw`\&& fix`, "agent", "&& fix"],
  [String.raw`\\& fix`, "agent", String.raw`\\& fix`],
  ["&& make", "agent", "&& make"],
  ["&", "agent", "&"],
  ["&  \n", "agent", "&  \n"],
  [" & fix", "agent", " & fix"],
  ["a & b", "agent", "a & b"],
  ["& & b", "cloud", "& b"],
  ["", "agent", ""],
])("sends %j to the %s as %j", (typed, to, text) => expect(readCloudMark(typed)).toEqual({ to, text }));

test("reads a very long prompt in linear time", () => {
  const long = `&${" ".repeat(200_000)}${"x ".repeat(500_000)}`;
  expect(readCloudMark(long).text).toHaveLength(1_000_000);
  expect(readCloudMark(`&${" ".repeat(1_000_000)}`).to).toBe("agent");
});

test("prints a target on one line and neutralises hostile text", () => {
  expect(targetWords({})).toBe("no repository");
  const whole = { repository: "https://example.com/team/project", ref: "main", branch: "fix", createPr: true };
  expect(targetWords(whole)).toBe("team/project from main, to fix, pull request");
  expect(targetWords({ repository: "x\u001b[2Jy", ref: "a\nb" })).not.toMatch(/[\u001b\n]/);
  expect(repositoryName("not an address")).toBe("not an address");
});

test("has a badge for an unknown status", () => {
  expect(cloudBadge("working")).toEqual({ label: "running", tone: "accent" });
  expect(cloudBadge("__proto__").label).toBe("unknown");
});
