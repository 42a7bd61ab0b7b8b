import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { testFolder } from "../../../test/support/core.ts";
import { servesModel } from "./models.ts";
import { decodeState, encodeState, newerVersionIn } from "./program.ts";

const thread = "01a1e178-38d8-7860-9211-a2da456973e7";

test("round-trips a state", () => {
  expect(encodeState(thread)).toBe(`codex:1:${thread}`);
  expect(decodeState(encodeState(thread))).toBe(thread);
});

test.for(["codex:1:x", "codex:2:" + thread, "claude:1:" + thread, thread, ""])("rejects the state %s", (state) => {
  expect(() => decodeState(state)).toThrow(expect.objectContaining({ code: "session_not_found" }));
});

test("selects Codex for its model names", () => {
  for (const name of ["gpt-5.5", "gpt-6.1-sol", "codex-mini", "o3", "o4-mini"])
    expect([name, servesModel(name)]).toEqual([name, true]);
  for (const name of ["opus", "gemini-pro", "o", "omni", "openai/gpt-5.5"])
    expect([name, servesModel(name)]).toEqual([name, false]);
});

test.for([
  [JSON.stringify({ latest_version: "0.150.0" }), "0.150.0"],
  [JSON.stringify({ latest_version: "0.140.0" }), undefined],
  [JSON.stringify({ latest_version: "0.9.0" }), undefined],
  [JSON.stringify({ latest_version: "\u001b[31m9.9.9" }), undefined],
  ["<html>", undefined],
  ["", undefined],
] as const)("finds a newer version in %j", async ([told, expected]) => {
  const home = testFolder();
  writeFileSync(join(home, "version.json"), told);
  expect(await newerVersionIn({ CODEX_HOME: home }, "0.140.0")).toBe(expected);
  expect(await newerVersionIn({ CODEX_HOME: home }, undefined)).toBeUndefined();
});
