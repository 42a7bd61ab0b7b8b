/** Boxes of the slash commands about agents: data in, titled lines out. */
import { columnsOf, padColumns } from "../../events/columns.ts";
import { oneLine } from "../../events/printable.ts";
import { commandLine } from "../command-line.ts";
import { count } from "../labels.ts";
import { blank, box, facts, line, part, said, type Box, type BoxLine, type BoxPart, type BoxStyle } from "./box.ts";
import { slashCommands, type SlashGroup, type SlashOptions } from "./commands.ts";
import {
  emailOf,
  mcpVerdict,
  type AgentFacts,
  type McpServerFacts,
  type McpState,
  type ModelFacts,
  type StatusFacts,
} from "./facts.ts";

/** Rows of a long list that are shown. */
export const longestList = 30;

export function statusBox(status: StatusFacts): Box {
  const { name, session, platform } = status;
  const optional = (title: string, value: string | undefined): readonly [string, BoxPart][] =>
    value === undefined || value === "" ? [] : [[title, said(value)]];
  const rows: readonly (readonly [string, ...BoxLine])[] = [
    ["Agent", said(name, "bold"), part(` (${oneLine(status.id)})`, "dim")],
    ...versionRow(status),
    ["Signed in", ...signInLine(status)],
    ["Model", ...modelLine(status)],
    ...optional("Mode", status.modeName ?? status.mode),
    [
      "Session",
      ...(session === undefined
        ? line("none yet", "dim")
        : [said(shortId(session.id)), part(` (${count(session.turns, "turn")})`, "dim")]),
    ],
    ...optional("OS", platform?.os),
    ...optional("Shell", platform?.shell),
    ...(status.about ?? []).flatMap(({ label, value }) => optional(oneLine(label), value)),
  ];
  const help = status.ready || status.help === undefined ? [] : [blank, [part("→ ", "warning"), said(status.help)]];
  return box(`${name} Status`, [...facts(rows), ...mcpTree(status), ...help]);
}

function versionRow({ version, newerVersion, installed }: StatusFacts): readonly [string, ...BoxLine][] {
  if (version === undefined) return installed ? [] : [["Version", part("not installed")]];
  const newer = newerVersion === undefined ? [] : [part(`  ↑ ${oneLine(newerVersion)} is available`, "warning")];
  return [["Version", said(version), ...newer]];
}

/** The beginning of a session id, as `reins sessions` shows it and `reins resume` takes it. */
function shortId(id: string): string {
  return id.slice(0, 12);
}

function signInLine(agent: AgentFacts & Pick<StatusFacts, "about">): BoxLine {
  if (agent.builtIn === true) return line("not needed", "dim");
  if (agent.signedIn === "no") return [part("no", "warning"), part("  /login to log in", "dim")];
  const email = emailOf(agent, agent.about);
  const who = email ?? agent.signedInHow;
  if (agent.signedIn === "unknown") return who === undefined ? line("unknown", "dim") : [said(who)];
  return [part("✓ ", "success"), said(who ?? "yes")];
}

function modelLine({ model, defaultModel }: StatusFacts): BoxLine {
  const inUse = model ?? defaultModel;
  if (inUse === undefined) return line("the agent's default", "dim");
  if (defaultModel === undefined) return [said(inUse)];
  const note = inUse === defaultModel ? " (default)" : ` (default: ${oneLine(defaultModel)})`;
  return [said(inUse), part(note, "dim")];
}

const stateStyles: Readonly<Record<McpState, BoxStyle>> = {
  loaded: "success",
  "not loaded": "warning",
  error: "error",
  unknown: "dim",
};

function mcpTree({ mcp, mcpHelp }: StatusFacts): readonly BoxLine[] {
  if (mcp === undefined) {
    return mcpHelp === undefined
      ? []
      : [blank, line("MCP servers", "bold"), [part("└─ ", "dim"), said(mcpHelp, "dim")]];
  }
  if (mcp.length === 0) return [blank, [part("MCP servers", "bold"), part("  none", "dim")]];
  const width = Math.max(...mcp.map(({ name }) => columnsOf(oneLine(name))));
  const shown = mcp.slice(0, longestList);
  const more = mcp.length - shown.length;
  const rows = shown.map((server, index): BoxLine => {
    const branch = index === mcp.length - 1 ? "└─ " : "├─ ";
    return [part(branch, "dim"), ...serverParts(server, width)];
  });
  const rest = more === 0 ? [] : [line(`└─ … and ${more} more`, "dim")];
  return [blank, line("MCP servers", "bold"), ...rows, ...rest];
}

function serverParts(server: McpServerFacts, width: number): BoxLine {
  const { state, reason } = mcpVerdict(server);
  const why = reason === undefined ? [] : [part(` (${oneLine(reason)})`, "dim")];
  return [part(`${padColumns(oneLine(server.name), width)}  `), part(state, stateStyles[state]), ...why];
}

/** `current` is the model of the session, if it differs from the one that the agent marks. */
export function modelsBox(agent: Pick<AgentFacts, "name">, models: readonly ModelFacts[], current?: string): Box {
  const title = `Available Models (${agent.name})`;
  if (models.length === 0) return box(title, [line("The agent lists no models.", "dim")]);
  const isCurrent = (model: ModelFacts): boolean =>
    current === undefined ? model.current === true : model.id === current;
  const shown = shownModels(models, isCurrent);
  const width = Math.max(...shown.map(({ id }) => columnsOf(oneLine(id))));
  const rows = shown.map((model): BoxLine => {
    const label = oneLine(model.label ?? "");
    const mark = model.default === true ? part("● ", "accent") : part("○ ", "dim");
    return [
      mark,
      part(label === "" || label === model.id ? oneLine(model.id) : padColumns(oneLine(model.id), width)),
      ...(label === "" || label === model.id ? [] : [part(`  ${label}`, "dim")]),
      ...(model.default === true ? [part("  ← default", "accent")] : []),
      ...(isCurrent(model) ? [part("  ← current", "success")] : []),
    ];
  });
  const cut = shown.length < models.length;
  const amount = cut ? `${shown.length} of ${models.length} models` : count(models.length, "model");
  return box(title, [...rows, blank, line(amount, "dim"), tip("/model <id>", " to switch")]);
}

/** The first models of a long list; the default and the current model are always included. */
function shownModels(models: readonly ModelFacts[], isCurrent: (model: ModelFacts) => boolean): readonly ModelFacts[] {
  if (models.length <= longestList) return models;
  const marked = new Set(models.filter((model) => model.default === true || isCurrent(model)));
  let free = longestList - marked.size;
  return models.filter((model) => marked.has(model) || free-- > 0);
}

export function mcpBox(agent: Pick<AgentFacts, "name">, servers: readonly McpServerFacts[]): Box {
  const title = `MCP Servers (${agent.name})`;
  if (servers.length === 0) return box(title, [line("No MCP servers are set up for this agent.", "dim")]);
  const shown = servers.slice(0, longestList);
  const width = Math.max(...shown.map(({ name }) => columnsOf(oneLine(name))));
  const rows = shown.map((server) => serverParts(server, width));
  const cut = shown.length < servers.length;
  const amount = cut ? `${shown.length} of ${servers.length} servers` : count(servers.length, "server");
  const needLogin = servers.some(({ status }) => status === "needs_login");
  return box(title, [
    ...rows,
    blank,
    line(amount, "dim"),
    tip("/mcp enable <name> | /mcp disable <name>"),
    ...(needLogin ? [tip("/mcp login <name>", " to log in to one")] : []),
  ]);
}

/** A command that signs in to an agent. */
interface LoginCommand {
  readonly command: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>> | undefined;
  /** The steps for a machine without a browser. Set when the command opens one. */
  readonly withoutBrowser?: string | undefined;
}

/** Boxes of the steps of `/login`. The agent's way to sign in decides which ones are shown. */
export const loginBoxes = {
  /** The agent's own command opens a browser or asks in the terminal. `variable` may hold a token instead. */
  command: (name: string, { command, args, withoutBrowser }: LoginCommand, variable?: string): Box =>
    box(`Log In (${name})`, [
      line(withoutBrowser === undefined ? "Running the agent's own login..." : "Opening browser..."),
      [part("$ ", "dim"), said([command, ...args].join(" "), "dim")],
      ...(withoutBrowser === undefined ? [] : [[part("No browser here? ", "dim"), said(withoutBrowser, "dim")]]),
      ...(variable === undefined ? [] : [tip("/login token", ` to enter ${oneLine(variable)} instead`)]),
    ]),
  /** For the page: it runs no program, so the person runs the command. */
  elsewhere: (name: string, { withoutBrowser, ...command }: LoginCommand, variable?: string): Box => {
    const { title, lines } = runThereBox(`Log In (${name})`, commandLine(command));
    return box(title, [
      ...lines,
      ...(withoutBrowser === undefined ? [] : [[part("No browser there? ", "dim"), said(withoutBrowser, "dim")]]),
      ...(variable === undefined ? [] : [tip("/login token", ` to enter ${oneLine(variable)} in this page`)]),
    ]);
  },
  token: (name: string, variable: string): Box =>
    box(`Log In (${name})`, [
      [part("Paste the value of "), said(variable, "accent"), part(" and press Enter. It is not shown.")],
      line("It is used until you quit, and is not stored.", "dim"),
    ]),
  /** The token is not checked; the first prompt shows whether it works. */
  tokenTaken: (name: string, variable: string): Box =>
    box(`Log In (${name})`, [
      [part("✓ ", "success"), said(`${variable} is used for ${name} from your next prompt on.`)],
      line("It is not stored and is forgotten when you quit. The next prompt shows whether it is accepted.", "dim"),
    ]),
  /** The agent signs in by an environment variable; `help` is the agent's own sentence. */
  variable: (name: string, variables: readonly string[], help?: string): Box =>
    box(`Log In (${name})`, [
      [said(help ?? `Set ${variables.join(" or ")} before you start Reins.`)],
      ...(variables.length === 0 ? [] : [tip("/login token", ` to enter ${variables[0]} now`)]),
    ]),
  /** Shown after signing in; the agent stores its tokens itself. */
  done: (agent: AgentFacts & Pick<StatusFacts, "about">): Box => {
    const who = emailOf(agent, agent.about);
    const how = agent.signedInHow === undefined ? "" : ` (${oneLine(agent.signedInHow)})`;
    const text = who === undefined ? `✓ Logged in${how}` : `✓ Logged in as ${oneLine(who)}`;
    return box(`Log In (${agent.name})`, [
      line(text, "success"),
      line("Authentication tokens stored securely.", "dim"),
    ]);
  },
  unknown: (agent: Pick<AgentFacts, "name">): Box =>
    box(`Log In (${agent.name})`, [
      line("The login has ended."),
      [said(`${agent.name} does not report whether it is signed in. The next prompt shows it.`, "dim")],
    ]),
  failed: (agent: Pick<AgentFacts, "name" | "help" | "signedIn" | "signedInHow">, exitCode = 0): Box =>
    box(`Log In (${agent.name})`, [
      line(exitCode === 0 ? "✗ Not logged in." : `✗ The login ended with exit code ${exitCode}.`, "error"),
      ...(agent.signedIn === "yes" ? [[part("Signed in as before: "), said(agent.signedInHow ?? "yes")]] : []),
      ...(agent.help === undefined ? [] : [[part("→ ", "warning"), said(agent.help)]]),
      tip("/login", " to try again"),
    ]),
} as const;

/** A command that the person has to run on the server's machine, because a page cannot. */
export function runThereBox(title: string, command: string): Box {
  return box(title, [
    line("Run this in a terminal on the server's machine:"),
    [part("$ ", "dim"), said(command, "accent")],
  ]);
}

export const logoutBoxes = {
  done: (agent: Pick<AgentFacts, "name">): Box =>
    box(`Log Out (${agent.name})`, [
      line("✓ Logged out successfully.", "success"),
      line("Stored authentication cleared.", "dim"),
    ]),
  /** `how` names what still signs the agent in, such as a key in a variable. */
  stillSignedIn: (agent: Pick<AgentFacts, "name">, how: string): Box =>
    box(`Log Out (${agent.name})`, [
      line("Stored authentication cleared."),
      [part("⚠ ", "warning"), part("The agent is still signed in: "), said(how)],
    ]),
  failed: (agent: Pick<AgentFacts, "name">, exitCode: number): Box =>
    box(`Log Out (${agent.name})`, [
      line(`✗ The logout ended with exit code ${exitCode}.`, "error"),
      tip("/status", " shows who is signed in"),
    ]),
} as const;

/** All agents: ready, or what to do. */
export function agentsBox(agents: readonly AgentFacts[], active?: string): Box {
  const width = Math.max(0, ...agents.map(({ id }) => columnsOf(oneLine(id))));
  const rows = agents.flatMap((agent): readonly BoxLine[] => {
    const head: BoxLine = [
      agent.ready ? part("● ", "success") : part("○ ", "dim"),
      part(`${padColumns(oneLine(agent.id), width)}  `),
      said(agent.name, "dim"),
      ...(agent.ready ? [] : [part(agent.installed ? "  not ready" : "  not installed", "warning")]),
      ...(agent.id === active ? [part("  ← active", "accent")] : []),
    ];
    return agent.ready || agent.help === undefined ? [head] : [head, [part("  → ", "dim"), said(agent.help, "dim")]];
  });
  return box("Agents", [...rows, blank, tip("/agent <id>", " to switch")]);
}

const groupNames: Readonly<Record<SlashGroup, string>> = {
  agent: "Agent",
  session: "Sessions",
  work: "Work",
  screen: "Interface",
};

/** All commands by group, and the agent's own. */
export function helpBox({ own = [], where }: SlashOptions = {}): Box {
  const ours = slashCommands.filter((command) => where === undefined || command.where.includes(where));
  const typed = (command: { readonly name: string; readonly hint?: string }): string =>
    `/${oneLine(command.name)}${command.hint ? ` ${command.hint}` : ""}`;
  const width = Math.max(...ours.map((command) => columnsOf(typed(command))));
  const row = (command: { readonly name: string; readonly hint?: string; readonly description?: string | undefined }) =>
    [part(`  ${padColumns(typed(command), width)}  `, "accent"), said(command.description ?? "", "dim")] as BoxLine;
  const groups = Object.entries(groupNames).flatMap(([group, name]) => {
    const rows = ours.filter((command) => command.group === group).map(row);
    return rows.length === 0 ? [] : [line(name, "bold"), ...rows, blank];
  });
  const theirs = own.map(({ name, description }) => row({ name: name.replace(/^\/+/, ""), description }));
  return box("Commands", [
    ...groups,
    ...(theirs.length === 0 ? [] : [line("The agent's own (sent to the agent)", "bold"), ...theirs, blank]),
    line("Begin a prompt with \\/ to send a slash as text, with //name for the agent's own command.", "dim"),
  ]);
}

/** The problem in one sentence, and the next step. */
export function problemBox(title: string, message: string, next?: string): Box {
  return box(title, [
    [part("✗ ", "error"), said(message)],
    ...(next === undefined || next === "" ? [] : [[part("→ ", "warning"), said(next)]]),
  ]);
}

/** A change that was made, in one sentence. */
export function doneBox(title: string, message: string): Box {
  return box(title, [[part("✓ ", "success"), said(message)]]);
}

function tip(command: string, what = ""): BoxLine {
  return [part("Tip: ", "dim"), part(command, "accent"), ...(what === "" ? [] : [part(what, "dim")])];
}
