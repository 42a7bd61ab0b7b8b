/** Usage, and the limits of each plan with their reset times. */
import { runSlash } from "../../commands/run.ts";
import type { App } from "../app/app.ts";
import { partLines } from "../app/box.ts";
import { slashContext } from "../app/slash-context.ts";

export function showUsage(app: App): void {
  const loading = {
    kind: "pager",
    title: "Usage and limits",
    lines: [{ text: app.theme.dim("Loading…") }],
    top: 0,
  } as const;
  app.overlay = loading;
  app.attempt(async () => {
    const { boxes } = await runSlash({ name: "usage" }, "", await slashContext(app));
    if (app.overlay !== loading) return;
    app.overlay = { ...loading, lines: boxes.flatMap((box) => partLines(box, app.theme)) };
    app.draw();
  });
}
