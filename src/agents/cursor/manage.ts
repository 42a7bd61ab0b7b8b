/** Cursor's management commands: sign-in, models, MCP servers, an empty chat. Its list of chats (`ls`) needs a terminal. */
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ErrorCode, ReinsError } from "../../events/errors.ts";
import { parseJson, record, text } from "../../protocols/json.ts";
import type {
  AboutFact,
  AgentContext,
  AgentManagement,
  ManagementCommand,
  McpServerInfo,
  McpToolInfo,
  ModelInfo,
  Place,
} from "../contract.ts";
import { hooksManagement } from "./hooks/manage.ts";
import { cursorError, cursorFolder, environmentOf, linesOf, program, requireCursor, signInHelp } from "./program.ts";
import { stateOf } from "./session.ts";

const withoutBrowser =
  "Without a browser run `NO_OPEN_BROWSER=1 reins login cursor` and open the address it shows on any machine, or set CURSOR_API_KEY to a key of cursor.com/dashboard/api.";

/** Failures of `mcp` commands that end with exit code 0. */
const mcpFailure = /not found|does not exist|has not been approved|failed to/i;

export function management(context: AgentContext): AgentManagement {
  const folder = cursorFolder(context.env);
  // Cursor records approved servers per folder.
  const mcp = (word: string, name: string, { cwd }: Place = {}): Promise<string> =>
    runCommand(context, ["mcp", word, serverName(name)], { cwd, failure: mcpFailure });
  return {
    login: async () => ({ ...(await commandFor(context, "login")), withoutBrowser }),
    logout: () => commandFor(context, "logout"),
    update: () => commandFor(context, "update"),
    interface: () => commandFor(context),
    about: async () => [
      { label: "protocol", value: "ACP (`agent acp`), or one process per prompt (REINS_CURSOR_CHANNEL=print)" },
      { label: "settings", value: join(folder, "cli-config.json") },
      { label: "sessions", value: join(folder, "chats") },
      ...aboutIn(await runCommand(context, ["about", "--format", "json"]).catch(() => "")),
    ],
    models: async () => modelsIn(await runCommand(context, ["models"])),
    mcp: {
      list: async ({ cwd } = {}) => mcpServersIn(await runCommand(context, ["mcp", "list"], { cwd })),
      tools: async (name, at) => mcpToolsIn(await mcp("list-tools", name, at)),
      enable: (name, at) => mcp("enable", name, at).then(() => undefined),
      disable: (name, at) => mcp("disable", name, at).then(() => undefined),
      login: (name) => commandFor(context, "mcp", "login", serverName(name)),
    },
    hooks: hooksManagement(context),
    createConversation: async ({ cwd } = {}) => stateOf("empty", await createChat(context, cwd)),
    instead: { verify: "Send a short prompt: it has no command that tests a key." },
  };
}

function serverName(name: string): string {
  if (name !== "" && !name.startsWith("-")) return name;
  const message = `${JSON.stringify(name)} is not the name of an MCP server.`;
  throw cursorError("invalid_input", message, `See \`reins mcp list ${program.id}\`.`);
}

async function commandFor(context: AgentContext, ...args: string[]): Promise<ManagementCommand> {
  const { path, args: first } = await requireCursor(context);
  return { command: path, args: [...first, ...args] };
}

async function specOf(context: AgentContext, args: readonly string[], cwd: string = tmpdir()) {
  const { command, args: all } = await commandFor(context, ...args);
  return { command, args: all, cwd, env: environmentOf(context.env), agent: program.id };
}

/** Errors are on either stream, and the exit code may still be 0. */
async function runCommand(
  context: AgentContext,
  args: readonly string[],
  { cwd, failure }: { readonly cwd?: string | undefined; readonly failure?: RegExp } = {},
): Promise<string> {
  const spec = await specOf(context, args, cwd);
  const { stdout, stderr, code, timedOut } = await context.processes.run(spec, context.deadlines.request);
  const what = `${program.name}'s \`${args.slice(0, 2).join(" ")}\``;
  if (timedOut) throw cursorError("timeout", `${what} did not answer in time.`);
  const said = linesOf(`${stderr}\n${stdout}`);
  const trouble = code === 0 ? said.find((line) => failure?.test(line)) : (said[0] ?? `exit code ${code}`);
  if (trouble !== undefined) throw commandFailed(what, trouble, "invalid_input");
  return stdout;
}

function commandFailed(what: string, said: string, otherwise: ErrorCode): ReinsError {
  const signedOut = /authentication required|not logged in|API key is invalid/i.test(said);
  const code = signedOut ? "not_authenticated" : otherwise;
  return cursorError(code, `${what} failed: ${said}`, signedOut ? signInHelp : undefined);
}

const uuid = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

/** `agent create-chat` prints an id, and some versions do not exit after that. */
async function createChat(context: AgentContext, cwd: string | undefined): Promise<string> {
  const child = await context.processes.launch({ ...(await specOf(context, ["create-chat"], cwd)), stdin: "ignore" });
  const late = setTimeout(() => void child.stop({ politely: false }), context.deadlines.request);
  try {
    for await (const { lines } of child.lines)
      for (const line of lines) if (uuid.test(line.trim())) return line.trim().toLowerCase();
  } finally {
    clearTimeout(late);
    await child.stop({ politely: false });
  }
  const said = linesOf(child.stderrTail())[0] ?? "it printed no id.";
  throw commandFailed(`${program.name}'s \`create-chat\``, said, "protocol_error");
}

/** Parses `agent about --format json`. */
export function aboutIn(stdout: string): AboutFact[] {
  const about = record(parseJson(stdout));
  const facts = { model: "model", subscriptionTier: "plan", latestVersion: "newest version" };
  return Object.entries(facts).flatMap(([key, label]) => {
    const value = text(about[key])?.trim() ?? "";
    return value === "" ? [] : [{ label, value }];
  });
}

/** Matches ` (default)`, ` (current)`, ` (current, default)`. */
const marked = /\s*\((?<marks>(?:default|current)\b[^)]*)\)$/;

/** Parses `agent models`: a header, a line per model, a tip. Names may contain zero-width spaces and brackets. */
export function modelsIn(stdout: string): ModelInfo[] {
  return linesOf(stdout).flatMap((line): ModelInfo[] => {
    const { id, label = "" } = /^(?<id>[A-Za-z0-9._-]+) - (?<label>.*)$/.exec(line)?.groups ?? {};
    if (id === undefined) return [];
    const marks = marked.exec(label)?.groups?.["marks"] ?? "";
    const name = label.replace(marked, "").replaceAll("\u200B", "").replaceAll(/\s+/g, " ").trim();
    const is = (mark: string) => (marks.split(/[\s,]+/).includes(mark) ? true : undefined);
    return [{ id, label: name === "" ? undefined : name, default: is("default"), current: is("current") }];
  });
}

/** The state after the name of an MCP server. A server that was not approved is not started, so it counts as disabled. */
const mcpStates: readonly (readonly [said: RegExp, status: McpServerInfo["status"]])[] = [
  [/^(?:ready|connected)$/i, "connected"],
  [/^(?:disabled$|not loaded\b)/i, "disabled"],
  [/^(?:requires_authentication|requires authentication|needs (?:authentication|login))\b/i, "needs_login"],
  [/^(?:error|failed)\b/i, "failed"],
  [/^loading\b/i, "unknown"],
];

/**
 * Parses `agent mcp list`: rows `<name>: <state>`, where either may contain a colon. The name ends at the last colon
 * before a known state, or else at the first one. A line without a colon is a message of the program (`Loading
 * MCPs...`).
 */
export function mcpServersIn(stdout: string): McpServerInfo[] {
  return linesOf(stdout).flatMap((line): McpServerInfo | [] => {
    const plain = line.replace(/^[○●✓✔✗✘⚠•-]\s+/u, "");
    const splits = [...plain.matchAll(/:\s+/g)].flatMap(({ index, 0: colon }) => {
      const said = plain.slice(index + colon.length);
      const status = mcpStates.find(([known]) => known.test(said))?.[1];
      return index > 0 ? [{ name: plain.slice(0, index), said, status }] : [];
    });
    const known = splits.findLast(({ status }) => status !== undefined);
    const { name, said, status = "unknown" } = known ?? splits[0] ?? {};
    if (name === undefined || said === undefined) return [];
    if (known === undefined && /^(?:note|tip|warning|error)$/i.test(name)) return [];
    return status === "connected" ? { name, status } : { name, status, detail: said.replace(/^error:\s*/i, "") };
  });
}

/** Parses `agent mcp list-tools <server>`: a header, then `- <tool> (<parameter>, ...)`. */
export function mcpToolsIn(stdout: string): McpToolInfo[] {
  return linesOf(stdout).flatMap((line) => {
    const { name, parameters = "" } = /^- (?<name>\S+)(?:\s+\((?<parameters>.*)\))?$/.exec(line)?.groups ?? {};
    return name === undefined ? [] : [{ name, parameters: parameters.split(/\s*,\s*/).filter((one) => one !== "") }];
  });
}
