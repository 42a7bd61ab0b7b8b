/** The settings of the terminal interface and the page: `ui` of the configuration. */

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
  /** The key before the keys of Reins, such as `ctrl+x`. */
  readonly leader: string;
  /** The repository bar. */
  readonly breadcrumb: {
    readonly placement: (typeof uiChoices.placement)[number];
    /** How often git and `gh` are asked. */
    readonly pollIntervalMs: number;
    /** Whether it offers the next step. */
    readonly showAction: boolean;
  };
  readonly theme: (typeof uiChoices.theme)[number];
  readonly screen: (typeof uiChoices.screen)[number];
  /** How the inline screen breaks prose: `soft` leaves it to the terminal, so that copies have no added newlines. */
  readonly wrap: (typeof uiChoices.wrap)[number];
  /** Whether the inline screen draws images where the terminal can. */
  readonly images: (typeof uiChoices.images)[number];
  /** Keys of vi in the prompt. */
  readonly vi: boolean;
  /** Whether the terminal interface takes the mouse. */
  readonly mouse: boolean;
}

/** `ui` as it stands in a file: each key may be missing. */
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

/** `first` over `second`, key by key. */
export function uiOver(first: PartialUiSettings = {}, second: PartialUiSettings = {}): PartialUiSettings {
  const breadcrumb = { ...second.breadcrumb, ...set(first.breadcrumb) };
  return { ...second, ...set(first), ...(Object.keys(breadcrumb).length > 0 && { breadcrumb }) };
}

/** Every setting, with the defaults of those that are missing. */
export function uiSettings(configured: PartialUiSettings = {}): UiSettings {
  return uiOver(configured, uiDefaults) as UiSettings;
}

/** Without keys that are undefined: they would hide a value. */
function set<Value extends object>(value: Value | undefined): Partial<Value> {
  return Object.fromEntries(Object.entries(value ?? {}).filter(([, inner]) => inner !== undefined)) as Partial<Value>;
}

export type UiSettingKey =
  `ui.${Exclude<keyof UiSettings, "breadcrumb"> | `breadcrumb.${keyof UiSettings["breadcrumb"]}`}`;
