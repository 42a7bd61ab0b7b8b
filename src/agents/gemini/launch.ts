import { access, mkdir, readdir, readFile, rename, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { ReinsError } from "../../events/errors.ts";
import { stateHome } from "../../process/home.ts";
import { parseJson, record } from "../../protocols/json.ts";
import { pathRules, relativeTo } from "../../workspace/paths.ts";
import type { AgentContext, OpenOptions, ToolFilter } from "../contract.ts";
import {
  at,
  authTypeIn,
  environmentOf,
  geminiFolder,
  ownSettings,
  program,
  settingsIn,
  type Environment,
} from "./program.ts";
import { nativeNames } from "./tools.ts";

/** With these arguments the program would ask about less than the mode requires, or not speak to Reins at all. */
const unheldArguments: ReadonlySet<string> = new Set(
  [
    "--yolo -y --approval-mode --allowed-tools --policy --admin-policy --skip-trust --acp --experimental-acp",
    "--prompt -p --prompt-interactive -i --output-format -o --resume -r --session-id",
  ].flatMap((line) => line.split(" ")),
);

/** The arguments in addition to `--acp`. `policy` is a file. */
export function argumentsOf(options: OpenOptions, policy: string): string[] {
  const args = ["--admin-policy", policy];
  if (options.model !== undefined) args.push("--model", value("--model", options.model));
  for (const directory of options.directories ?? []) {
    // A comma separates several folders in one argument.
    if (directory.includes(","))
      throw refused(`Gemini CLI does not accept a folder with a comma in its name (${directory}).`);
    args.push("--include-directories", value("--include-directories", directory));
  }
  const further = options.extraArgs ?? [];
  const loose = further.find((argument) => unheldArguments.has(argument.split("=", 1)[0]!));
  if (loose !== undefined) throw refused(`Reins cannot control Gemini CLI's tools with the argument ${loose}.`);
  return [...args, ...further];
}

function value(flag: string, given: string): string {
  if (given === "" || given.startsWith("-")) throw refused(`"${given}" is not a valid value for Gemini CLI's ${flag}.`);
  return given;
}

function refused(message: string): ReinsError {
  return new ReinsError("invalid_input", message, { agent: "gemini", help: "Leave it out." });
}

/**
 * Defaults below everything that the user, a project or an administrator sets: no retries (its own ten take minutes
 * without a message, and an answer that broke off is repeated from its beginning), outputs of commands as text, no
 * updates, and the sign-in that the environment selects. The program reads them only from a file in a safe folder,
 * which a temporary folder is not.
 */
const systemFiles: Readonly<Partial<Record<NodeJS.Platform, string>>> = {
  darwin: "/Library/Application Support/GeminiCli/system-defaults.json",
  win32: String.raw`C:\ProgramData\gemini-cli\system-defaults.json`,
};

export function defaultsFor(env: Environment): object {
  const selectedType = authTypeIn(env);
  return {
    general: { maxAttempts: 1, enableAutoUpdate: false, enableAutoUpdateNotification: false },
    tools: { shell: { enableInteractiveShell: false } },
    ...(selectedType === undefined ? {} : { security: { auth: { selectedType } } }),
  };
}

/** The variable with their path; empty when such defaults exist already or cannot be written. */
export async function defaultsVariable(
  env: Environment,
  home: string,
  systemFile: string = systemFiles[process.platform] ?? "/etc/gemini-cli/system-defaults.json",
): Promise<Record<string, string>> {
  const variable = "GEMINI_CLI_SYSTEM_DEFAULTS_PATH";
  if (env[variable]) return {};
  const exists = await access(systemFile).then(
    () => true,
    () => false,
  );
  if (exists) return {};
  const folder = join(home, "gemini");
  const file = join(folder, `defaults-${authTypeIn(env) ?? "any"}.json`);
  const wanted = JSON.stringify(defaultsFor(env));
  try {
    if ((await readFile(file, "utf8").catch(() => "")) !== wanted) {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const draft = `${file}.${process.pid}`;
      await writeFile(draft, wanted, { mode: 0o600 });
      await rename(draft, file);
    }
    return { [variable]: file };
  } catch {
    return {};
  }
}

export async function environmentFor(
  context: AgentContext,
  { cwd, env: extra, tools, mcpServers = {} }: OpenOptions,
): Promise<{ env: Record<string, string>; divergences: readonly string[] }> {
  const own = environmentOf(context.env, extra);
  const env = { ...own, ...(await defaultsVariable(own, stateHome(context.env))) };
  const divergences: string[] = [];
  const allowed = await allowedByProject(cwd);
  if (allowed.length > 0 && (await isTrusted(cwd, env))) {
    env["GEMINI_CLI_TRUST_WORKSPACE"] = "false";
    const what = `The project's .gemini/settings.json lets tools run without asking (${allowed.join(", ")})`;
    divergences.push(`${what}, so ${program.name} treats this folder as untrusted.`);
  }
  if (Object.keys(mcpServers).length > 0 && !(await isTrusted(cwd, env)))
    divergences.push(`${program.name} starts no MCP servers in a folder it does not trust.`);
  if (tools !== undefined && (await hasSystemPolicies()))
    divergences.push(
      `${program.name} follows an administrator's policies here and accepts no list of tools from Reins.`,
    );
  return { env, divergences };
}

interface Rule {
  readonly toolName: string | readonly string[];
  readonly decision: "allow" | "deny" | "ask_user";
  /** From 0 to 999; the highest wins. */
  readonly priority: number;
  readonly modes?: readonly string[];
  readonly mcpName?: string;
  readonly argsPattern?: string;
  readonly commandPrefix?: string;
  readonly denyMessage?: string;
}

const changing = ["write_file", "replace"];

/**
 * Rules for Gemini CLI's policy engine, in the tier that nothing of the user or a project outranks:
 * - its mode `plan`, which Reins uses for `read` and `plan`, changes nothing, whatever is allowed elsewhere;
 * - the tools that a session names.
 */
export async function policyOf(tools: ToolFilter | undefined, env: Environment): Promise<string> {
  const inPlan = { decision: "deny", priority: 900, modes: ["plan"], denyMessage: "This session only looks." } as const;
  const planFile = { toolName: changing, decision: "allow", priority: 910, modes: ["plan"] } as const;
  const rules: Rule[] = [
    { toolName: "run_shell_command", ...inPlan },
    { toolName: "*", mcpName: "*", ...inPlan },
    { toolName: changing, ...inPlan },
    ...planFiles(env).map((argsPattern) => ({ ...planFile, argsPattern })),
    ...(tools?.allowed ?? []).flatMap(allowed),
    ...(tools?.disallowed ?? []).flatMap(disallowed),
  ];
  const { stringify } = await import("smol-toml");
  return stringify({ rule: rules });
}

/**
 * Patterns of the files that the program writes plans into. It matches them against JSON in which NUL characters
 * surround each argument, and ignores expressions that could be slow, such as optional groups. A bare name is in its
 * own folder for plans.
 */
function planFiles(env: Environment): string[] {
  const folder = join(geminiFolder(env), "tmp").replaceAll(/[^\w/-]/g, String.raw`\$&`);
  const folders = ["", String.raw`${folder}/[\w-]+/plans/`, String.raw`${folder}/[\w-]+/[\w-]+/plans/`];
  return folders.map((path) => String.raw`\x00"file_path":"${path}[\w-]+\.md"\x00`);
}

/**
 * `shell(git *)` allows commands that begin so. For other tools a rule in parentheses allows nothing, because the
 * engine has no such rules.
 */
function allowed(name: string): Rule[] {
  const { tool, rule } = parts(name);
  const common = { decision: "allow", priority: 500, modes: ["default", "autoEdit", "yolo"] } as const;
  if (tool === "mcp" && rule === undefined) return [{ ...common, toolName: "*", mcpName: "*" }];
  return nativeNames(tool).flatMap((toolName): Rule[] => {
    if (rule === undefined) return [{ ...common, toolName }];
    return toolName === "run_shell_command" && rule !== "" ? [{ ...common, toolName, commandPrefix: rule }] : [];
  });
}

/** When the engine has no rule as narrow as the given one, the whole tool is denied. */
function disallowed(name: string): Rule[] {
  const { tool, rule } = parts(name);
  const denyMessage = "This tool is not to be used in this session.";
  const common = { decision: "deny", priority: 950, denyMessage } as const;
  // With a pattern, which here matches anything, the tool stays visible and its calls fail; without one it would disappear.
  const always = { argsPattern: "." };
  if (tool === "mcp") return [{ ...common, ...always, toolName: "*", mcpName: "*" }];
  return nativeNames(tool).map((toolName) =>
    toolName === "run_shell_command" && rule !== undefined && rule !== ""
      ? { ...common, toolName, commandPrefix: rule }
      : { ...common, ...always, toolName },
  );
}

function parts(name: string): { tool: string; rule: string | undefined } {
  const [, tool = name, rule] = /^([\w-]+)\((.*)\)$/s.exec(name) ?? [];
  return { tool, rule: rule?.replace(/[:\s]*\*$/, "").trim() };
}

const systemFolders: Readonly<Partial<Record<NodeJS.Platform, string>>> = {
  darwin: "/Library/Application Support/GeminiCli/policies",
  win32: String.raw`C:\ProgramData\gemini-cli\policies`,
};

/** With an administrator's policies the program accepts no others in that tier. */
export async function hasSystemPolicies(
  folder: string = systemFolders[process.platform] ?? "/etc/gemini-cli/policies",
): Promise<boolean> {
  return (await readdir(folder).catch(() => [])).some((name) => name.endsWith(".toml"));
}

/**
 * True when Gemini CLI trusts a folder. In an untrusted folder it ignores the project's settings, GEMINI.md and every
 * MCP server, and refuses the modes that allow edits or commands. The user grants trust in Gemini CLI itself. If this
 * function wrongly returns true, Gemini CLI still refuses.
 */
export async function isTrusted(cwd: string, env: Environment): Promise<boolean> {
  const said = env["GEMINI_CLI_TRUST_WORKSPACE"];
  if (env["GEMINI_RESTRICTED_MODE"] === "true" || said === "false") return false;
  if (said === "true") return true;
  if (at(await ownSettings(env), "security", "folderTrust", "enabled") === false) return true;
  const file = env["GEMINI_CLI_TRUSTED_FOLDERS_PATH"] || join(geminiFolder(env), "trustedFolders.json");
  return trustedBy(await readFile(file, "utf8").catch(() => "{}"), cwd);
}

/** The nearest listed folder decides. */
function trustedBy(json: string, cwd: string): boolean {
  let nearest = { length: -1, trusted: false };
  for (const [path, level] of Object.entries(record(parseJson(json)))) {
    const folder = level === "TRUST_PARENT" ? dirname(path) : path;
    if (folder.length > nearest.length && relativeTo(folder, cwd, pathRules()) !== undefined)
      nearest = { length: folder.length, trusted: level === "TRUST_FOLDER" || level === "TRUST_PARENT" };
  }
  return nearest.trusted;
}

/** The settings of a project that would let tools run without asking. The program cannot ignore only these. */
export async function allowedByProject(cwd: string): Promise<string[]> {
  const settings = await settingsIn(join(cwd, ".gemini", "settings.json"));
  if (settings === undefined) return [];
  if (settings === "unreadable") return ["a file with comments or mistakes"];
  const lists = [["tools", "allowed"], ["tools", "core"], ["mcp", "allowed"], ["policyPaths"], ["adminPolicyPaths"]];
  const found = lists.filter((names) => at(settings, ...names) !== undefined).map((names) => names.join("."));
  const servers: unknown[] = Object.values(Object(at(settings, "mcpServers")) as object);
  return servers.some((server) => Boolean(at(server, "trust"))) ? [...found, "mcpServers.trust"] : found;
}
