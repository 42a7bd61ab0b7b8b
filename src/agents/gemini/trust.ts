/**
 * Whether Gemini CLI trusts a folder. In one that it does not trust it leaves the project's settings, GEMINI.md and every MCP
 * server out, and has no modes that allow anything; that is for the person to decide, with the program itself.
 */
import { readFile } from "node:fs/promises";
import { dirname, isAbsolute, join, relative, sep } from "node:path";
import { at, geminiFolder, ownSettings, settingsIn } from "./home.ts";
import type { Environment } from "./home.ts";

/** `env` is the program's own. A wrong yes shows as a refusal by the program, a wrong no only takes something away. */
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
  for (const [path, level] of Object.entries(parsed(json))) {
    const folder = level === "TRUST_PARENT" ? dirname(path) : path;
    if (folder.length > nearest.length && isWithin(cwd, folder))
      nearest = { length: folder.length, trusted: level === "TRUST_FOLDER" || level === "TRUST_PARENT" };
  }
  return nearest.trusted;
}

function parsed(json: string): object {
  try {
    return Object(JSON.parse(json)) as object;
  } catch {
    return {};
  }
}

function isWithin(path: string, folder: string): boolean {
  const from = relative(folder, path);
  return from !== ".." && !from.startsWith(`..${sep}`) && !isAbsolute(from);
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
