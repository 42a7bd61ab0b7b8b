/** What a person's agent files set as variables: secrets to be hidden, also of those that take over later. */
import { readFile, stat } from "node:fs/promises";
import { AgentFiles } from "./agent-files.ts";
import type { Environment } from "./configuration-files.ts";
import { parseFrontMatter } from "./front-matter.ts";

/** By names of which no two are the same. What is wrong with a file is told by what uses it. */
export async function agentFileVariables(env: Environment): Promise<Readonly<Record<string, string>>> {
  const paths = await AgentFiles.persons(env);
  const found = await Promise.all(paths.map((path) => variablesOf(path).catch(() => [])));
  return Object.fromEntries(found.flat());
}

async function variablesOf(path: string): Promise<readonly (readonly [string, string])[]> {
  if (!(await stat(path)).isFile()) return [];
  const { env } = parseFrontMatter(await readFile(path, "utf8")).values;
  if (typeof env !== "object" || Array.isArray(env)) return [];
  return Object.entries(env).map(([name, value]) => [`${path} ${name}`, String(value)]);
}
