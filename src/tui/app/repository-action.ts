/** The action of the repository bar: commands after one confirmation, or a prompt to the agent. */
import { oneLine, printable } from "../../events/printable.ts";
import { missingWords } from "../../view/repository.ts";
import { expandTabs } from "../wrap.ts";
import type { App } from "./app.ts";
import { boxLines } from "./box.ts";
import { confirmLater } from "./confirm-later.ts";

export function pressRepositoryAction(app: App): void {
  const view = app.sessions.active;
  const { status } = app.repository;
  const { theme } = app;
  if (status === undefined) return app.flash("This folder is not in a git repository.");
  if (status.missing !== undefined) return app.flash(missingWords[status.missing].help, 6_000);
  app.flash("Loading the repository…", 10_000);
  app.attempt(async () => {
    const reins = await app.reins();
    const { skill } = status.action;
    const planned = await reins.repositoryAction({ cwd: view.cwd, skill });
    app.flash("");
    if (planned.kind === "prompt") {
      const from = planned.source.from === "built-in" ? "Reins" : planned.source.path;
      const text = printable(planned.text);
      return confirmLater(app, {
        ...{ kind: "confirm", title: status.action.label, yes: `send to ${view.agent ?? "the agent"}` },
        lines: [
          // First, so that a long prompt does not hide them.
          ...planned.notes.map((note) => ({ text: theme.warning(`! ${oneLine(note)}`) })),
          { text: theme.dim(`The prompt, from ${oneLine(from)}:`) },
          ...text.split("\n").map((line) => ({ text: expandTabs(line), wrap: "soft" as const })),
        ],
        accept: () => app.prompt(view, planned.text),
      });
    }
    if (planned.kind !== "commands") return;
    confirmLater(app, {
      ...{ kind: "confirm", title: status.action.label, yes: "run" },
      lines: [
        { text: "This changes the repository, and perhaps its remote:" },
        ...planned.shown.split("\n").map((line) => ({ text: `  ${oneLine(line)}`, wrap: "soft" as const })),
      ],
      accept: () =>
        app.attempt(async () => {
          app.flash("Running…", 60_000);
          const ran = await reins.repositoryAction({ cwd: view.cwd, skill, confirm: true, shown: planned.shown });
          if (ran.kind !== "ran") return;
          const lines = printable(ran.output)
            .trimEnd()
            .split("\n")
            .map((text) => ({ text, wrap: "soft" as const }));
          const end =
            ran.exitCode === 0
              ? theme.success("✓ Done.")
              : theme.error(`✗ Failed with exit code ${ran.exitCode ?? "unknown"}.`);
          app.flash("");
          app.say(boxLines(status.action.label, [...lines, { text: end }], theme), view);
          app.refreshRepository();
        }),
    });
  });
}
