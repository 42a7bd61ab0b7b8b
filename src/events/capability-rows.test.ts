import { expect, test } from "vitest";
import { noCapabilities } from "./capabilities.ts";
import { capabilityRows } from "./capability-rows.ts";

test("has a row with a unique label for every capability", () => {
  const ids = capabilityRows.map(({ id }) => id.split(".")[0]);
  expect(new Set(ids)).toEqual(new Set([...Object.keys(noCapabilities), "keepsEdits"]));
  const labels = capabilityRows.map(({ label }) => label);
  expect(new Set(labels).size).toBe(labels.length);
});

test("shows the declared value in each row", () => {
  const of = (id: string) =>
    capabilityRows.find((row) => row.id === id)!.of({ ...noCapabilities, modes: ["ask"], steer: true });
  expect([of("steer"), of("deltas"), of("modes.ask"), of("modes.full"), of("hold.edit"), of("usage")]).toEqual([
    true,
    false,
    true,
    false,
    "none",
    "none",
  ]);
});
