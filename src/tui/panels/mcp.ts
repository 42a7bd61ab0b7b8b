/** MCP servers of the agent: status and reason, tools on demand, enable, disable and log in. */
import { mcpFacts } from "../../commands/facts.ts";
import { oneLine } from "../../events/printable.ts";
import type { McpState } from "../../view/slash/facts.ts";
import type { App } from "../app/app.ts";
import type { SessionView } from "../app/session-view.ts";
import { fill } from "./fill.ts";
import { managementOf } from "./management.ts";
import { picker, type PickerItem } from "../app/overlay.ts";

const marks: Readonly<Record<McpState, readonly [mark: string, style: "success" | "warning" | "error" | "dim"]>> = {
  loaded: ["●", "success"],
  "not loaded": ["○", "warning"],
  error: ["✗", "error"],
  unknown: ["○", "dim"],
};

export function pickMcp(app: App): void {
  const view = app.sessions.active;
  const { theme } = app;
  const at = { cwd: view.cwd };
  const change =
    (what: "enable" | "disable") =>
    ({ id }: PickerItem): void =>
      app.attempt(async () => {
        const { management } = await managementOf(app, view);
        await management.mcp[what](id, at);
        app.flash(`${oneLine(id)} is ${what}d.`);
        pickMcp(app);
      });
  const keys = [
    { key: "e", label: "enable", run: change("enable") },
    { key: "d", label: "disable", run: change("disable") },
    { key: "g", label: "log in", run: ({ id }: PickerItem) => logIn(app, view, id) },
  ];
  const accept = ({ id }: PickerItem): void => showTools(app, view, id);
  fill(app, picker("MCP servers", [], accept, { keys, hint: "Enter lists the tools" }), async () => {
    const { name, management } = await managementOf(app, view);
    const servers = await mcpFacts(management, view.cwd);
    if (app.overlay?.kind === "picker" && app.overlay.accept === accept)
      app.overlay = {
        ...app.overlay,
        title: `MCP servers (${oneLine(name)})`,
        empty: "No MCP servers are set up for this agent.",
      };
    return servers.map(({ name: server, state, reason, target }) => {
      const [mark, style] = marks[state];
      return {
        id: server,
        label: oneLine(server),
        mark: theme[style](mark),
        detail: oneLine([reason === undefined ? state : `${state} (${reason})`, target].filter(Boolean).join(" · ")),
      };
    });
  });
}

function logIn(app: App, view: SessionView, server: string): void {
  app.overlay = undefined;
  app.attempt(async () => {
    const { management } = await managementOf(app, view);
    const { command, args, env } = await management.mcp.login(server);
    const code = await app.host.runProgram([command, ...args], env);
    app.flash(code === 0 ? "The login has ended." : `The login ended with exit code ${code}.`, 4_000);
    pickMcp(app);
  });
}

/** Loads the tools on demand, because an agent may have to start the server for it. */
function showTools(app: App, view: SessionView, server: string): void {
  const { theme } = app;
  const title = `Tools of ${oneLine(server)}`;
  const loading = { kind: "pager", title, lines: [{ text: theme.dim("Loading…") }], top: 0 } as const;
  app.overlay = loading;
  app.attempt(async () => {
    try {
      const { management } = await managementOf(app, view);
      const tools = await management.mcp.tools(server, { cwd: view.cwd });
      if (app.overlay !== loading) return;
      const lines = tools.map(({ name, parameters = [] }) => ({
        text: `${oneLine(name)}${theme.dim(parameters.length > 0 ? `  ${oneLine(parameters.join(", "))}` : "")}`,
      }));
      app.overlay = { ...loading, lines: lines.length > 0 ? lines : [{ text: theme.dim("No tools.") }] };
    } catch (error) {
      if (app.overlay === loading) app.overlay = undefined;
      throw error;
    } finally {
      app.draw();
    }
  });
}
