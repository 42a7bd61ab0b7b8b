/** Questions that open by themselves, after something that took time. */
import { answersAfterMs } from "../../view/answer-keys.ts";
import type { App } from "./app.ts";
import type { Confirm } from "./overlay.ts";

/** Opens the question. A person may be typing something else: keys answer only when the question could be read. */
export function confirmLater(app: App, confirm: Confirm): void {
  if (app.overlay !== undefined) return app.flash(`${confirm.title}: close the open panel, then try again.`);
  const shown = { ...confirm, waits: true };
  app.overlay = shown;
  app.draw();
  setTimeout(() => {
    if (app.overlay !== shown) return;
    app.overlay = confirm;
    app.draw();
  }, answersAfterMs).unref();
}
