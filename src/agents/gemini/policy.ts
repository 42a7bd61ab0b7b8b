/**
 * Rules of ours in Gemini CLI's policy engine, in the tier that nothing of a person or a project outranks:
 * - its mode `plan`, in which `read` and `plan` run, stays one that only looks, whatever else is allowed elsewhere;
 * - the tools that a session names.
 */
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import type { ToolFilter } from "../contract.ts";
import { geminiFolder } from "./home.ts";
import type { Environment } from "./home.ts";
import { nativeNames } from "./tools.ts";

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

export function policyOf(tools: ToolFilter | undefined, env: Environment): string {
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
  return rules.map(toml).join("\n");
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

/** A text of JSON is a text of TOML too. */
function toml(rule: Rule): string {
  return ["[[rule]]", ...Object.entries(rule).map(([key, value]) => `${key} = ${JSON.stringify(value)}`), ""].join(
    "\n",
  );
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
