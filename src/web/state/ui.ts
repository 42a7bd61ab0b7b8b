/** The interface settings (`ui` in the configuration) that apply in a folder. */
import type { ConfigurationAnswer } from "../../server/schemas/settings.ts";
import { uiChoices, uiDefaults, type UiSettings } from "../../view/ui-settings.ts";
import { useRemote } from "./remote.ts";

/** Undefined until loaded; the defaults when loading fails. */
export function useUi(cwd: string | undefined): Pick<UiSettings, "breadcrumb" | "leader"> | undefined {
  const query = cwd === undefined ? "" : `?cwd=${encodeURIComponent(cwd)}`;
  const { value, error } = useRemote<ConfigurationAnswer>(`/api/configuration${query}`);
  if (value === undefined) return error === undefined ? undefined : uiDefaults;
  return uiIn(value.settings);
}

/** Reads the settings from a list in which each has its full key. */
export function uiIn(
  settings: readonly { readonly key: string; readonly value?: unknown; readonly ignored?: string | undefined }[],
): Pick<UiSettings, "breadcrumb" | "leader"> {
  const valueOf = (key: string): unknown =>
    settings.find((one) => one.key === `ui.${key}` && one.ignored === undefined)?.value;
  const { breadcrumb, leader } = uiDefaults;
  const [wanted, interval, showAction] = ["placement", "pollIntervalMs", "showAction"].map((key) =>
    valueOf(`breadcrumb.${key}`),
  );
  const key = valueOf("leader");
  return {
    breadcrumb: {
      placement: uiChoices.placement.find((one) => one === wanted) ?? breadcrumb.placement,
      pollIntervalMs: typeof interval === "number" ? interval : breadcrumb.pollIntervalMs,
      showAction: typeof showAction === "boolean" ? showAction : breadcrumb.showAction,
    },
    leader: typeof key === "string" ? key : leader,
  };
}
