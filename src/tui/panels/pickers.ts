/** Pickers for an agent, a model or a mode. */
import { modes, type Mode } from "../../events/modes.ts";
import { oneLine } from "../../events/printable.ts";
import { agentColour } from "../../view/agent-colour.ts";
import { modeAfter, modeMeanings, modeName } from "../../view/mode-names.ts";
import type { App } from "../app/app.ts";
import { fill } from "./fill.ts";
import { managementOf } from "./management.ts";
import { picker, type PickerItem } from "../app/overlay.ts";
import { offerInstallation, offerSignIn } from "./sign-in.ts";

/** Distinguishes agent files from agents: both may have the same name. */
const filePrefix = "file:";

export function pickAgent(app: App): void {
  const view = app.sessions.active;
  const title = view.id === undefined ? "Agent" : "Hand off to";
  const accept = ({ id }: PickerItem): void => {
    const file = id.startsWith(filePrefix) ? id.slice(filePrefix.length) : undefined;
    const agent = app.agents.find((one) => one.id === id);
    if (agent?.installed === false) return offerInstallation(app, agent, () => pickAgent(app));
    app.attempt(async () => {
      await app.sessions.switchAgent(view, file ?? id);
      if (agent?.signedIn === "no") offerSignIn(app, agent);
    });
  };
  fill(app, picker(title, [], accept), async () => {
    const reins = await app.reins();
    const [agents, files] = await Promise.all([
      app.refreshAgents(),
      reins.agentFiles({ cwd: view.cwd }).catch(() => []),
    ]);
    const { theme } = app;
    const items = agents
      .filter(({ family }) => family !== true)
      .toSorted((a, b) => Number(b.ready) - Number(a.ready))
      .map((agent): PickerItem => {
        const how = agent.ready ? [agent.version, agent.signedInHow].filter(Boolean).join(" · ") : undefined;
        return {
          id: agent.id,
          label: oneLine(agent.name),
          mark: agent.id === view.agent ? theme.accent("●") : agent.ready ? theme.success("✓") : theme.dim("○"),
          detail: oneLine(how ?? agent.help ?? "not ready"),
        };
      });
    const own = files.map(({ id, name, description, color, problem }): PickerItem => {
      const mark = color === undefined ? "◆" : theme.colour(agentColour(color), "◆");
      return {
        id: `${filePrefix}${id}`,
        label: oneLine(name ?? id),
        mark,
        detail: oneLine(description ?? ""),
        disabled: problem,
      };
    });
    return [...items, ...own];
  });
}

export function pickModel(app: App): void {
  const view = app.sessions.active;
  const accept = ({ id }: PickerItem): void => app.attempt(() => app.sessions.configure(view, { model: id }));
  fill(app, picker("Model", [], accept), async () => {
    const { management } = await managementOf(app, view);
    const models = await management.models();
    return models.map(({ id, label, description, default: isDefault, current }) => {
      const marks = [
        isDefault === true ? "default" : "",
        current === true || id === view.model ? "current" : "",
      ].filter(Boolean);
      return {
        id,
        label: oneLine(label ?? id),
        mark: marks.length > 0 ? app.theme.accent("●") : app.theme.dim("○"),
        detail: [label === undefined ? undefined : id, ...marks, description]
          .filter(Boolean)
          .map((text) => oneLine(text!))
          .join(" · "),
      };
    });
  });
}

export function pickMode(app: App): void {
  const view = app.sessions.active;
  const declared = app.capabilities();
  const items = (declared?.modes ?? modes).map((mode) => ({
    id: mode,
    label: modeName(mode, declared),
    detail: modeMeanings[mode],
    mark: mode === view.mode ? app.theme.accent("●") : app.theme.dim("○"),
  }));
  const accept = ({ id }: PickerItem): void => app.attempt(() => app.sessions.configure(view, { mode: id as Mode }));
  app.overlay = picker("Mode", items, accept, {
    chosen: Math.max(
      0,
      items.findIndex(({ id }) => id === view.mode),
    ),
  });
}

/** Shift+Tab. */
export function nextMode(app: App): void {
  const view = app.sessions.active;
  const declared = app.capabilities();
  const mode = modeAfter(view.mode, declared);
  if (mode === undefined) return app.flash("This agent has no other mode.");
  app.attempt(() => app.sessions.configure(view, { mode }));
  app.flash(`Mode ${modeName(mode, declared)}: ${modeMeanings[mode]}`);
}
