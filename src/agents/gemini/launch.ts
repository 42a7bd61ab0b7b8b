/** Options of a session as Gemini CLI's command line and environment. */
import { access, mkdir, readdir, readFile, rename, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { ReinsError } from "../../events/errors.ts";
import { stateHome } from "../../process/home.ts";
import { parseJson, record } from "../../protocols/json.ts";
import { pathRules, relativeTo } from "../../workspace/paths.ts";
import type { AgentContext, OpenOptions, ToolFilter } from "../contract.ts";
import { at, authTypeIn, environmentOf, geminiFolder, ownSettings, program, settingsIn } from "./program.ts";
import type { Environment } from "./program.ts";
import { nativeNames } from "./tools.ts";

/** With these the program would ask about less than the mode of the session says, or not speak to Reins at all. */
const unheldArguments: ReadonlySet<string> = new Set([
  "--yolo",
  "-y",
  "--approval-mode",
  "--allowed-tools",
  "--policy",
  "--admin-policy",
  "--skip-trust",
  "--acp",
  "--experimental-acp",
  "--prompt",
  "-p",
  "--prompt-interactive",
  "-i",
  "--output-format",
  "-o",
  "--resume",
  "-r",
  "--session-id",
]);

/** Beside `--acp`; `policy` is a file. */
export function argumentsOf(options: OpenOptions, policy: string): string[] {
  const args = ["--admin-policy", policy];
  if (options.model !== undefined) args.push("--model", value("--model", options.model));
  for (const directory of options.directories ?? []) {
    // It takes several folders, separated by commas, in one argument.
    if (directory.includes(",")) throw refused(`Gemini CLI takes no folder with a comma in its name (${directory}).`);
    args.push("--include-directories", value("--include-directories", directory));
  }
  const further = options.extraArgs ?? [];
  const loose = further.find((argument) => unheldArguments.has(argument.split("=", 1)[0]!));
  if (loose !== undefined) throw refused(`Reins cannot hold Gemini CLI's tools with the argument ${loose}.`);
  return [...args, ...further];
}

function value(flag: string, given: string): string {
  if (given === "" || given.startsWith("-")) throw refused(`"${given}" is no value for Gemini CLI's ${flag}.`);
  return given;
}

function refused(message: string): ReinsError {
  return new ReinsError("invalid_input", message, { agent: "gemini", help: "Leave it out." });
}

/**
 * Defaults of ours, below everything a person, a project or an administrator sets: no retries (its own ten take minutes and say nothing,
 * and after an answer that broke off its beginning is said twice), outputs of commands as text, no updates behind our back, and the
 * way to sign in that the environment means. The program reads them only from a file in a safe place, which a temporary folder is not.
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

/** The variable that leads to them; none where somebody has set such defaults, or they cannot be written. */
export async function defaultsVariable(
  env: Environment,
  home: string,
  systemFile: string = systemFiles[process.platform] ?? "/etc/gemini-cli/system-defaults.json",
): Promise<Record<string, string>> {
  const variable = "GEMINI_CLI_SYSTEM_DEFAULTS_PATH";
  if (env[variable]) return {};
  try {
    await access(systemFile);
    return {};
  } catch {
    // As on nearly every machine: nobody has set any.
  }
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

export interface Surroundings {
  readonly env: Record<string, string>;
  /** One sentence each. */
  readonly divergences: readonly string[];
}

export async function surroundingsOf(
  context: AgentContext,
  { cwd, env: extra, tools, mcpServers = {} }: OpenOptions,
): Promise<Surroundings> {
  const own = environmentOf(context.env, extra);
  const env = { ...own, ...(await defaultsVariable(own, stateHome(context.env))) };
  const divergences: string[] = [];
  const allowed = await allowedByProject(cwd);
  if (allowed.length > 0 && (await isTrusted(cwd, env))) {
    env["GEMINI_CLI_TRUST_WORKSPACE"] = "false";
    const what = `The project's .gemini/settings.json lets tools run unasked (${allowed.join(", ")})`;
    divergences.push(`${what}, so ${program.name} works here as in a folder it does not trust.`);
  }
  if (Object.keys(mcpServers).length > 0 && !(await isTrusted(cwd, env)))
    divergences.push(`${program.name} starts no MCP servers in a folder it does not trust.`);
  if (tools !== undefined && (await hasSystemPolicies()))
    divergences.push(`${program.name} follows an administrator's policies here and takes no list of tools from Reins.`);
  return { env, divergences };
}

interface Rule {
  readonly toolName: string | readonly string[];
  readonly decision: "allow" | "deny" | "ask_user";
  /** From 0 to 999; the highest counts. */
  readonly priority: number;
  readonly modes?: readonly string[];
  readonly mcpName?: string;
  readonly argsPattern?: string;
  readonly commandPrefix?: string;
  readonly denyMessage?: string;
}

const onlyLooks = "This session only looks.";
const notInThisSession = "This tool is not to be used in this session.";
const changing = ["write_file", "replace"];

/**
 * Rules of ours in Gemini CLI's policy engine, in the tier that nothing of a user or a project outranks:
 * - its mode `plan`, in which `read` and `plan` run, stays one that only looks, whatever else is allowed elsewhere;
 * - the tools that a session names.
 */
export async function policyOf(tools: ToolFilter | undefined, env: Environment): Promise<string> {
  const rules: Rule[] = [
    { toolName: "run_shell_command", decision: "deny", priority: 900, modes: ["plan"], denyMessage: onlyLooks },
    { toolName: "*", mcpName: "*", decision: "deny", priority: 900, modes: ["plan"], denyMessage: onlyLooks },
    { toolName: changing, decision: "deny", priority: 900, modes: ["plan"], denyMessage: onlyLooks },
    // The file it writes its plan into.
    ...planFiles(env).map((argsPattern): Rule => ({
      toolName: changing,
      decision: "allow",
      priority: 910,
      modes: ["plan"],
      argsPattern,
    })),
    ...(tools?.allowed ?? []).flatMap(allowed),
    ...(tools?.disallowed ?? []).flatMap(disallowed),
  ];
  const { stringify } = await import("smol-toml");
  return stringify({ rule: rules });
}

/**
 * Arguments are matched as JSON in which each stands between zeros. A bare name stands in the program's own folder for plans.
 * One pattern for each place: what could be a slow expression, such as optional groups, it leaves out.
 */
function planFiles(env: Environment): string[] {
  const folder = join(geminiFolder(env), "tmp").replaceAll(/[^\w/-]/g, String.raw`\$&`);
  const places = ["", String.raw`${folder}/[\w-]+/plans/`, String.raw`${folder}/[\w-]+/[\w-]+/plans/`];
  return places.map((place) => String.raw`\x00"file_path":"${place}[\w-]+\.md"\x00`);
}

/** `shell(git *)`: only commands that begin so. Other tools have no such rules here, and without theirs nothing more is allowed. */
function allowed(name: string): Rule[] {
  const { tool, rule } = parts(name);
  const common = { decision: "allow", priority: 500, modes: ["default", "autoEdit", "yolo"] } as const;
  if (tool === "mcp" && rule === undefined) return [{ ...common, toolName: "*", mcpName: "*" }];
  return nativeNames(tool).flatMap((toolName): Rule[] => {
    if (rule === undefined) return [{ ...common, toolName }];
    return toolName === "run_shell_command" && rule !== "" ? [{ ...common, toolName, commandPrefix: rule }] : [];
  });
}

/** Where there is no rule as narrow as it was meant, the whole tool is out. */
function disallowed(name: string): Rule[] {
  const { tool, rule } = parts(name);
  const common = { decision: "deny", priority: 950, denyMessage: notInThisSession } as const;
  // With a pattern, here one for anything, a tool is still there and a call of it is seen to fail; else it would vanish.
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

/** With policies of an administrator the program takes no others in that tier. */
export async function hasSystemPolicies(
  folder: string = systemFolders[process.platform] ?? "/etc/gemini-cli/policies",
): Promise<boolean> {
  return (await readdir(folder).catch(() => [])).some((name) => name.endsWith(".toml"));
}

/**
 * Whether Gemini CLI trusts a folder. In one that it does not trust it leaves the project's settings, GEMINI.md and every MCP server out,
 * and has no modes that allow anything; that is for the user to decide, with the program itself. `env` is the program's own. A wrong yes shows as a refusal by the program, a wrong no only
 * takes something away.
 */
export async function isTrusted(cwd: string, env: Environment): Promise<boolean> {
  const said = env["GEMINI_CLI_TRUST_WORKSPACE"];
  if (env["GEMINI_RESTRICTED_MODE"] === "true" || said === "false") return false;
  if (said === "true") return true;
  if (at(await ownSettings(env), "security", "folderTrust", "enabled") === false) return true;
  const file = env["GEMINI_CLI_TRUSTED_FOLDERS_PATH"] || join(geminiFolder(env), "trustedFolders.json");
  return trustedBy(await readFile(file, "utf8").catch(() => "{}"), cwd);
}

/** The nearest folder that anything was said about decides. */
function trustedBy(json: string, cwd: string): boolean {
  let nearest = { length: -1, trusted: false };
  for (const [path, level] of Object.entries(record(parseJson(json)))) {
    const folder = level === "TRUST_PARENT" ? dirname(path) : path;
    if (folder.length > nearest.length && relativeTo(folder, cwd, pathRules()) !== undefined)
      nearest = { length: folder.length, trusted: level === "TRUST_FOLDER" || level === "TRUST_PARENT" };
  }
  return nearest.trusted;
}

/**
 * What a project's own settings would let run unasked, by the names of the settings; the program cannot be told to leave out only
 * these. A file that is not plain JSON may say anything.
 */
export async function allowedByProject(cwd: string): Promise<string[]> {
  const settings = await settingsIn(join(cwd, ".gemini", "settings.json"));
  if (settings === undefined) return [];
  if (settings === "unreadable") return ["a file with comments or mistakes"];
  const lists = [["tools", "allowed"], ["tools", "core"], ["mcp", "allowed"], ["policyPaths"], ["adminPolicyPaths"]];
  const found = lists.filter((names) => at(settings, ...names) !== undefined).map((names) => names.join("."));
  const servers: unknown[] = Object.values(Object(at(settings, "mcpServers")) as object);
  return servers.some((server) => Boolean(at(server, "trust"))) ? [...found, "mcpServers.trust"] : found;
}
