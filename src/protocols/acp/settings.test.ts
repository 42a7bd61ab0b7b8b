import { expect, test } from "vitest";
import { meant, Settings } from "./settings.ts";

const choices = [
  { id: "gpt", label: "GPT" },
  { id: "a/small", label: "Small" },
  { id: "b/small", label: "Small, of b" },
  { id: "b/large", label: "Large" },
];

test.each([
  ["gpt", "gpt"],
  ["GPT", "gpt"],
  ["small", undefined],
  ["Small, of B", "b/small"],
  ["large", "b/large"],
  ["b/large", "b/large"],
  ["huge", undefined],
])("finds for %s the choice %s", (wanted, id) => {
  expect(meant(wanted, choices)?.id).toBe(id);
});

test("finds an option by category, then by id, before the legacy list, and accepts an unlisted current value", () => {
  const settings = new Settings();
  expect(settings.current("mode")).toBeUndefined();
  settings.opened({
    configOptions: [
      { id: "mode", type: "select", currentValue: "x", options: [{ value: "y" }] },
      {
        id: "approval",
        category: "mode",
        currentValue: "p",
        options: [{ value: "p", name: "P" }, { name: "no value" }, 7],
      },
    ],
    modes: { currentModeId: "p", availableModes: [{ id: "p" }] },
  });
  expect(settings.waysTo("mode").map((way) => way.request("p"))).toEqual([
    { method: "session/set_config_option", params: { configId: "approval", value: "p" } },
    { method: "session/set_mode", params: { modeId: "p" } },
  ]);
  expect(settings.current("mode")).toEqual({ id: "p", label: "P" });
  settings.chose("mode", "q");
  expect(settings.current("mode")).toEqual({ id: "q", label: "q" });
  settings.replaced("nonsense");
  expect(settings.valueOf("approval")).toBe("q");
  expect(settings.waysTo("model")).toEqual([]);
});
