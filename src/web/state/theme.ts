/** Dark, light, or as the system has it; kept in this browser. */
import { createStore, useStore } from "./store.ts";

export const themes = ["system", "light", "dark"] as const;
export type Theme = (typeof themes)[number];

const key = "reins.theme";

function stored(): Theme {
  const found = readStored(key);
  return themes.find((theme) => theme === found) ?? "system";
}

/** A browser may forbid it. */
function readStored(name: string): string | null {
  try {
    return localStorage.getItem(name);
  } catch {
    return null;
  }
}

const store = createStore<Theme>(stored());

export function useTheme(): Theme {
  return useStore(store);
}

export function setTheme(theme: Theme): void {
  store.set(theme);
  applyTheme();
  try {
    localStorage.setItem(key, theme);
  } catch {
    // It counts until the page is closed.
  }
}

export function applyTheme(): void {
  const theme = store.get();
  if (theme === "system") delete document.documentElement.dataset["theme"];
  else document.documentElement.dataset["theme"] = theme;
}
