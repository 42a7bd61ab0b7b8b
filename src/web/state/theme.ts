/** Dark, light, or the system's theme; kept in this browser. */
import { createStore, keep, readKept } from "./store.ts";

export const themes = ["system", "light", "dark"] as const;
export type Theme = (typeof themes)[number];

export const themeStore = createStore<Theme>(themes.find((theme) => theme === readKept("theme")) ?? "system");

export function setTheme(theme: Theme): void {
  themeStore.set(theme);
  applyTheme();
  keep("theme", theme);
}

export function applyTheme(): void {
  const theme = themeStore.get();
  if (theme === "system") delete document.documentElement.dataset["theme"];
  else document.documentElement.dataset["theme"] = theme;
}
