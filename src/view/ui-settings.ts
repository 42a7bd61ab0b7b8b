/** Settings of the terminal interface and the page: `ui` in the configuration. */

export const uiChoices = {
  placement: ["top", "bottom", "left", "right", "hidden"],
  theme: ["auto", "dark", "light", "contrast", "terminal"],
  screen: ["full", "inline"],
  wrap: ["word", "soft"],
  images: ["auto", "off"],
} as const;

/** A key that may be the leader: `ctrl+x`, `alt+s`, `f1`. */
export const leaderKey = /^(?:(?:ctrl|alt)\+){1,2}[a-z0-9]$|^f(?:[1-9]|1[0-2])$/;

export interface UiSettings {
  /** The key that starts Reins' own shortcuts, such as `ctrl+x`. */
  readonly leader: string;
  readonly breadcrumb: {
    readonly placement: (typeof uiChoices.placement)[number];
    /** Interval for asking git and `gh`. */
    readonly pollIntervalMs: number;
    /** Offer the next step. */
    readonly showAction: boolean;
  };
  readonly theme: (typeof uiChoices.theme)[number];
  readonly screen: (typeof uiChoices.screen)[number];
  /** How the inline screen wraps prose: `soft` leaves it to the terminal, so that copied text has no added newlines. */
  readonly wrap: (typeof uiChoices.wrap)[number];
  /** Draw images on the inline screen if the terminal can show them. */
  readonly images: (typeof uiChoices.images)[number];
  /** Vi keys in the prompt. */
  readonly vi: boolean;
  /** Capture the mouse in the terminal interface. */
  readonly mouse: boolean;
}

/** `ui` as written in a file: every key is optional. */
export type PartialUiSettings = {
  readonly [Key in keyof Omit<UiSettings, "breadcrumb">]?: UiSettings[Key] | undefined;
} & {
  readonly breadcrumb?:
    | { readonly [Key in keyof UiSettings["breadcrumb"]]?: UiSettings["breadcrumb"][Key] | undefined }
    | undefined;
};

export const uiDefaults: UiSettings = {
  leader: "ctrl+x",
  breadcrumb: { placement: "top", pollIntervalMs: 30_000, showAction: true },
  theme: "auto",
  screen: "full",
  wrap: "soft",
  images: "auto",
  vi: false,
  mouse: true,
};

/** Merges two settings key by key; `first` wins. */
export function uiOver(first: PartialUiSettings = {}, second: PartialUiSettings = {}): PartialUiSettings {
  const breadcrumb = { ...second.breadcrumb, ...set(first.breadcrumb) };
  return { ...second, ...set(first), ...(Object.keys(breadcrumb).length > 0 && { breadcrumb }) };
}

/** All settings, with defaults for the missing ones. */
export function uiSettings(configured: PartialUiSettings = {}): UiSettings {
  return uiOver(configured, uiDefaults) as UiSettings;
}

/** Drops undefined keys: they would hide a default when spread. */
function set<Value extends object>(value: Value | undefined): Partial<Value> {
  return Object.fromEntries(Object.entries(value ?? {}).filter(([, inner]) => inner !== undefined)) as Partial<Value>;
}

export type UiSettingKey =
  `ui.${Exclude<keyof UiSettings, "breadcrumb"> | `breadcrumb.${keyof UiSettings["breadcrumb"]}`}`;
