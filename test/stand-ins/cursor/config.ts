/** `cli-config.json`: created by the first run; stores the chosen model and permanent approvals. */
import { join } from "node:path";
import { fieldsOf, listOf, type Fields } from "../agent-loop/index.ts";
import { readJson, readText, writeJson } from "./files.ts";
import { configFolder } from "./places.ts";

const path = (): string => join(configFolder(), "cli-config.json");

const first = {
  version: 1,
  editor: { vimMode: false },
  permissions: { allow: ["Shell(ls)"], deny: [] },
  approvalMode: "allowlist",
  sandbox: { mode: "disabled", networkAccess: "allowlist" },
};

export function readConfig(): Fields {
  if (readText(path()) === undefined) writeJson(path(), first);
  return readJson(path());
}

export const keepModel = (model: string): void => writeJson(path(), { ...readConfig(), model });

export interface Rules {
  readonly allow: readonly string[];
  readonly deny: readonly string[];
}

/** The rules of the person and of the project, which may only set permissions. */
export function rulesFor(cwd: string): Rules {
  const of = (config: Fields): Fields => fieldsOf(config["permissions"]);
  const both = [of(readConfig()), of(readJson(join(cwd, ".cursor", "cli.json")))];
  const words = (key: string): string[] => both.flatMap((rules) => listOf(rules[key]).map(String));
  return { allow: words("allow"), deny: words("deny") };
}

/** Saves rules in the person's own file, as the answer "always" does. */
export function allowForGood(rules: readonly string[]): void {
  const config = readConfig();
  const permissions = fieldsOf(config["permissions"]);
  const allow = [...new Set([...listOf(permissions["allow"]), ...rules])];
  writeJson(path(), { ...config, permissions: { ...permissions, allow } });
}
