/** Switches between full screen and inline, and saves the choice. */
import type { App } from "./app.ts";

export function switchScreen(app: App, screen: App["screen"]): void {
  if (screen === app.screen) return app.flash(`This is the ${screen} screen already.`);
  app.screen = screen;
  app.output.switchScreen(screen);
  app.attempt(() => app.host.saveSetting("ui.screen", screen));
}
