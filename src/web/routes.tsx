/** The places of the page besides its conversations. To add one: a line here; the sidebar lists those with a label. */
import { lazy } from "react";
import type { ComponentType } from "react";
import type { IconName } from "./ui/icon.tsx";

export interface Place {
  /** `usage` is at `#/usage`; what follows it, as in `#/compare/<id>`, is the page's own. */
  readonly path: string;
  readonly label: string;
  readonly icon: IconName;
  readonly Page: ComponentType;
}

export const places: readonly Place[] = [
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
];
