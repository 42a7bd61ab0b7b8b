import { expect, test } from "vitest";
import { uiDefaults } from "../../view/ui-settings.ts";
import { uiIn } from "./ui.ts";

test("reads settings from the server's list, with defaults for missing or invalid values", () => {
  const { breadcrumb, leader } = uiDefaults;
  expect(uiIn([])).toEqual({ breadcrumb, leader });
  const settings = [
    { key: "ui.breadcrumb.placement", value: "left" },
    { key: "ui.breadcrumb.placement", value: "right", ignored: "Another value applies." },
    { key: "ui.breadcrumb.pollIntervalMs", value: 5_000 },
    { key: "ui.breadcrumb.showAction", value: false },
    { key: "ui.leader", value: "ctrl+g" },
  ];
  expect(uiIn(settings)).toEqual({
    breadcrumb: { placement: "left", pollIntervalMs: 5_000, showAction: false },
    leader: "ctrl+g",
  });
  const wrong = settings.map(({ key }) => ({ key, value: {} }));
  expect(uiIn(wrong)).toEqual({ breadcrumb, leader });
});
