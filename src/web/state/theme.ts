/** Dark, light, or as the system has it; kept in this browser. */
import { createStore, keep, readKept, useStore } from "./store.ts";

export const themes = ["system", "light", "dark"] as const;
export type Theme = (typeof themes)[number];

const store = createStore<Theme>(themes.find((theme) => theme === readKept("theme")) ?? "system");

export function useTheme(): Theme {
  return useStore(store);
}

export function setTheme(theme: Theme): void {
  store.set(theme);
  applyTheme();
  keep("theme", theme);
}

export function applyTheme(): void {
  const theme = store.get();
  if (theme === "system") delete document.documentElement.dataset["theme"];
  else document.documentElement.dataset["theme"] = theme;
}
