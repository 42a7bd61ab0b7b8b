/**
 * What Reins sets of Qwen Code's settings, in a file that it takes for the defaults of the machine: everything the person set
 * outranks it, except that its rules and hooks are added to theirs.
 */
import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { isRecord, list, record } from "../../drivers/stream-json/read.ts";
import type { Wire } from "../../drivers/stream-json/read.ts";
import { ReinsError } from "../../events/errors.ts";
import type { OpenOptions } from "../contract.ts";
import { hookNames } from "./hooks.ts";
import { rulesOf } from "./tool-filter.ts";

/** Which variable leads to the file. */
export const defaultsVariable = "QWEN_CODE_SYSTEM_DEFAULTS_PATH";

export interface Given {
  readonly hooksUrl: string;
  readonly tools?: OpenOptions["tools"];
  readonly directories?: OpenOptions["directories"];
}

/** `machine`: the defaults that were there before, which hold too. */
export function settingsWith(machine: Wire, { hooksUrl, tools, directories = [] }: Given): Wire {
  const { permissions, hooks, model, context } = machine;
  const rules = rulesOf(tools);
  return {
    ...machine,
    hooks: { ...record(hooks), ...Object.fromEntries(hookNames.map((name) => [name, hookAt(hooks, name, hooksUrl)])) },
    permissions: {
      ...record(permissions),
      allow: [...list(record(permissions)["allow"]), ...rules.allowed],
      deny: [...list(record(permissions)["deny"]), ...rules.disallowed],
    },
    context: {
      ...record(context),
      includeDirectories: [...list(record(context)["includeDirectories"]), ...directories],
    },
    // Each of its own tries would be as many; whether to wait, try again or move on is for the route to decide.
    model: { ...record(model), generationConfig: { maxRetries: 0, ...record(record(model)["generationConfig"]) } },
  };
}

function hookAt(hooks: unknown, name: string, url: string): readonly unknown[] {
  // In seconds. It gives up after a minute all the same.
  return [...list(record(hooks)[name]), { hooks: [{ type: "http", url, timeout: 3_600 }] }];
}

/** The machine's own defaults, which the variable would otherwise hide. */
export async function machineDefaults(env: Readonly<Record<string, string | undefined>>): Promise<Wire> {
  const path = env[defaultsVariable] || join(dirname(systemSettings(env)), "system-defaults.json");
  const content = await readFile(path, "utf8").catch(() => undefined);
  if (content === undefined) return {};
  try {
    const parsed: unknown = JSON.parse(withoutComments(content));
    if (isRecord(parsed)) return parsed;
  } catch {
    // Said below.
  }
  throw new ReinsError("invalid_input", `Qwen Code's settings in ${path} are not JSON.`, {
    agent: "qwen",
    help: "Correct that file, or take it away.",
  });
}

function systemSettings(env: Readonly<Record<string, string | undefined>>): string {
  if (env["QWEN_CODE_SYSTEM_SETTINGS_PATH"]) return env["QWEN_CODE_SYSTEM_SETTINGS_PATH"];
  if (process.platform === "darwin") return "/Library/Application Support/QwenCode/settings.json";
  return process.platform === "win32" ? "C:\\ProgramData\\qwen-code\\settings.json" : "/etc/qwen-code/settings.json";
}

/** It takes comments too. */
function withoutComments(json: string): string {
  return json.replace(/("(?:[^"\\]|\\.)*")|\/\/[^\n]*|\/\*[\s\S]*?\*\//g, (_, text: string | undefined) => text ?? "");
}
