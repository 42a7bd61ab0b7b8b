/** Lists that open at once and are filled when their answer arrives. */
import type { App } from "../app/app.ts";
import type { Picker, PickerItem } from "../app/overlay.ts";

/** Fills the list, unless it was closed in the meantime. */
export function fill(app: App, shown: Picker, items: () => Promise<readonly PickerItem[]>): void {
  app.overlay = { ...shown, loading: true };
  const isShown = (): boolean => app.overlay?.kind === "picker" && app.overlay.accept === shown.accept;
  app.attempt(async () => {
    try {
      const found = await items();
      if (isShown()) app.overlay = { ...(app.overlay as Picker), items: found, loading: false };
    } catch (error) {
      if (isShown()) app.overlay = undefined;
      throw error;
    } finally {
      app.draw();
    }
  });
}
