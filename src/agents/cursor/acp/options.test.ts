import { expect, test } from "vitest";
import { modelId, modelsListed, plainDiffs, undone } from "./options.ts";

const listed = [
  "default[]",
  "alpha-2[effort=high,fast=true]",
  "alpha-2[effort=low,fast=false]",
  "beta-5-max[reasoning=medium]",
  "gamma[]",
  "delta-1[thinking=true,context=300k,reasoning_effort=xhigh]",
].map((id) => ({ id, label: id === "default[]" ? "Auto" : id.split("[", 1)[0]! }));

test.each([
  ["auto", "default[]"],
  ["Default", "default[]"],
  ["Auto", "default[]"],
  ["gamma", "gamma[]"],
  ["gamma[]", "gamma[]"],
  ["alpha-2", "alpha-2[effort=high,fast=true]"],
  ["alpha-2-low", "alpha-2[effort=low,fast=false]"],
  ["alpha-2-high-fast", "alpha-2[effort=high,fast=true]"],
  ["alpha-2[effort=low]", "alpha-2[effort=low,fast=false]"],
  ["beta-5-max", "beta-5-max[reasoning=medium]"],
  ["beta-5-max-medium", "beta-5-max[reasoning=medium]"],
  ["delta-1-thinking-xhigh", "delta-1[thinking=true,context=300k,reasoning_effort=xhigh]"],
  ["GAMMA", "gamma[]"],
  ["alpha-2-max", undefined],
  ["alpha-2[effort=max]", undefined],
  ["nobody", undefined],
  ["", undefined],
])("resolves %j to %j", (wanted, id) => {
  expect(modelId(wanted, listed, "gamma[]")).toBe(id);
});

test("resolves the initial model, which is in no list", () => {
  expect(modelId("omega-high", listed, "omega[effort=high]")).toBe("omega[effort=high]");
  expect(modelId("omega-ultra", listed, "omega[effort=high]")).toBe("omega[effort=high]");
  expect(modelId("omega-ultra", listed, "default[]")).toBeUndefined();
  expect(modelId("auto", [], undefined)).toBeUndefined();
});

test("reads the longer list in each format seen", () => {
  expect(modelsListed({ models: [{ value: "a[]", name: "A" }, { modelId: "b[]" }, { id: "c" }, {}, 7] })).toEqual([
    { id: "a[]", label: "A" },
    { id: "b[]", label: "b[]" },
    { id: "c", label: "c" },
  ]);
  expect(modelsListed({ availableModels: [{ value: "a", model: { name: "A" } }] })).toEqual([{ id: "a", label: "A" }]);
  expect(modelsListed({})).toEqual([]);
});

test.each([
  [{ rejected: true }, { message: "It was not allowed.", reason: "denied" }],
  [{ rejected: { reason: "On the list." } }, { message: "On the list.", reason: "denied" }],
  [{ permissionDenied: { error: "Outside." } }, { message: "Outside.", reason: "denied" }],
  [{ error: "No such file." }, { message: "No such file.", reason: "error" }],
  [{ error: { message: "No such file." } }, { message: "No such file.", reason: "error" }],
  [{ error: {} }, { message: "It failed.", reason: "error" }],
  [{ exitCode: 1, stdout: "", stderr: "x" }, undefined],
  [{ rejected: false, error: "" }, undefined],
])("classifies %j", (rawOutput, expected) => {
  expect(undone(rawOutput)).toEqual(expected);
});

test("removes the header of a patch only when both halves are present", () => {
  const diff = (oldText: unknown, newText: unknown) => ({ type: "diff", path: "/w/a", oldText, newText });
  expect(
    plainDiffs([
      diff("-- /dev/null", "++ b//w/a\nhello"),
      diff("-- a//w/a\none\n", "++ b//w/a\ntwo\n"),
      diff("-- a//w/a\none", "++ /dev/null"),
      diff("-- a comment\n", "++ b/ two\n"),
      diff(null, "++ b/a\n"),
      { type: "content" },
    ]),
  ).toEqual([
    diff(undefined, "hello"),
    diff("one\n", "two\n"),
    diff("one", ""),
    diff("-- a comment\n", "++ b/ two\n"),
    diff(null, "++ b/a\n"),
    { type: "content" },
  ]);
});
