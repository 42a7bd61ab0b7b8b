/** `/diff`: the changes of this session. */
import { changeWords } from "../../view/labels.ts";
import type { Line } from "../line.ts";
import { diffLines } from "../transcript/index.ts";
import type { App } from "./app.ts";
import { sessionFacts } from "./sidebar.ts";

/** The panel is as wide as the screen, including its border. */
const borderColumns = 4;

export function showDiff(app: App): void {
  const changes = [...sessionFacts(app.sessions.active).files.values()];
  if (changes.length === 0) return app.flash("This session has changed no files.");
  const look = { ...app.look(), width: app.size.columns };
  const unknown = { text: app.theme.dim("The agent did not report a diff.") };
  const lines = changes.flatMap((change): Line[] => [
    { text: app.theme.bold(changeWords(change)) },
    ...(change.diff === undefined ? [unknown] : diffLines(change.diff, look, borderColumns)),
    { text: "" },
  ]);
  app.overlay = { kind: "pager", title: "Changes", lines, top: 0 };
}
