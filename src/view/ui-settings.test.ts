import { expect, it } from "vitest";
import { uiDefaults, uiOver, uiSettings } from "./ui-settings.ts";

it("fills in defaults key by key", () => {
  expect(uiSettings()).toEqual(uiDefaults);
  const found = uiSettings({ leader: undefined, vi: true, breadcrumb: { placement: "bottom", showAction: undefined } });
  expect(found).toEqual({ ...uiDefaults, vi: true, breadcrumb: { ...uiDefaults.breadcrumb, placement: "bottom" } });
});

it("merges two settings", () => {
  const first = { theme: "dark", breadcrumb: { showAction: false } } as const;
  const second = { theme: "light", mouse: false, breadcrumb: { placement: "left", showAction: true } } as const;
  expect(uiOver(first, second)).toEqual({
    ...{ theme: "dark", mouse: false },
    breadcrumb: { placement: "left", showAction: false },
  });
  expect(uiOver()).toEqual({});
});
