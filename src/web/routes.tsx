/** The places of the page besides its conversations. To add one: a line here; the sidebar lists them. */
import { lazy } from "react";
import type { ComponentType } from "react";
import type { IconName } from "./ui/icon.tsx";

export interface Place {
  /** `usage` is at `#/usage`; what follows it, as in `#/compare/<id>`, is the page's own. */
  readonly path: string;
  readonly label: string;
  readonly icon: IconName;
  /** It is come to from somewhere else, and not from the sidebar. */
  readonly hidden?: boolean | undefined;
  readonly Page: ComponentType;
}

export const places: readonly Place[] = [
  {
    path: "compare",
    label: "Compare",
    icon: "compare",
    Page: lazy(async () => ({ default: (await import("./compare/compare-page.tsx")).ComparePage })),
  },
  {
    path: "agents",
    label: "Agents",
    icon: "agent",
    Page: lazy(async () => ({ default: (await import("./panels/agents-page.tsx")).AgentsPage })),
  },
  {
    path: "usage",
    label: "Usage",
    icon: "usage",
    Page: lazy(async () => ({ default: (await import("./panels/usage-page.tsx")).UsagePage })),
  },
  {
    path: "rules",
    label: "Rules",
    icon: "rule",
    Page: lazy(async () => ({ default: (await import("./panels/rules-page.tsx")).RulesPage })),
  },
  {
    path: "settings",
    label: "Settings",
    icon: "settings",
    Page: lazy(async () => ({ default: (await import("./settings/settings-page.tsx")).SettingsPage })),
  },
  {
    path: "cloud",
    label: "Elsewhere",
    icon: "cloud",
    hidden: true,
    Page: lazy(async () => ({ default: (await import("./cloud/cloud-page.tsx")).CloudPage })),
  },
];
