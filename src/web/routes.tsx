/** The pages besides conversations. To add a page, add a line here; the sidebar lists them. */
import { lazy, type ComponentType } from "react";
import type { IconName } from "./ui/basics.tsx";

export interface Place {
  /** `usage` is at `#/usage`. The page reads the rest of the path itself, as in `#/compare/<id>`. */
  readonly path: string;
  readonly label: string;
  readonly icon: IconName;
  /** Linked from elsewhere and not listed in the sidebar. */
  readonly hidden?: boolean | undefined;
  readonly Page: ComponentType;
}

const page = (load: () => Promise<ComponentType>): ComponentType => lazy(async () => ({ default: await load() }));

const ComparePage = page(async () => (await import("./compare/compare-page.tsx")).ComparePage);
const AgentsPage = page(async () => (await import("./panels/agents-page.tsx")).AgentsPage);
const UsagePage = page(async () => (await import("./panels/usage-page.tsx")).UsagePage);
const RulesPage = page(async () => (await import("./panels/rules-page.tsx")).RulesPage);
const SettingsPage = page(async () => (await import("./settings/settings-page.tsx")).SettingsPage);
const CloudPage = page(async () => (await import("./cloud/cloud-page.tsx")).CloudPage);

export const places: readonly Place[] = [
  { path: "compare", label: "Compare", icon: "compare", Page: ComparePage },
  { path: "agents", label: "Agents", icon: "agent", Page: AgentsPage },
  { path: "cloud", label: "Cloud", icon: "cloud", Page: CloudPage },
  { path: "usage", label: "Usage", icon: "usage", Page: UsagePage },
  { path: "rules", label: "Rules", icon: "rule", Page: RulesPage },
  { path: "settings", label: "Settings", icon: "settings", Page: SettingsPage },
];
