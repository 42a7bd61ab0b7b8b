/** Where Gemini CLI keeps its things, and what stands in its settings. Nothing of its credentials is read. */
import { readFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";

export type Environment = Readonly<Record<string, string | undefined>>;

export function geminiFolder(env: Environment): string {
  return join(env["GEMINI_CLI_HOME"] || env["HOME"] || homedir(), ".gemini");
}

export type Settings = Readonly<Record<string, unknown>>;

/** Undefined where there is none, `"unreadable"` where it is not plain JSON: the program itself also takes comments. */
export async function settingsIn(file: string): Promise<Settings | "unreadable" | undefined> {
  const text = await readFile(file, "utf8").catch(() => undefined);
  if (text === undefined) return undefined;
  try {
    const parsed: unknown = JSON.parse(text);
    return typeof parsed === "object" && parsed !== null && !Array.isArray(parsed)
      ? (parsed as Settings)
      : "unreadable";
  } catch {
    return "unreadable";
  }
}

/** A person's own; empty where they cannot be read. */
export async function ownSettings(env: Environment): Promise<Settings> {
  const settings = await settingsIn(join(geminiFolder(env), "settings.json"));
  return settings === "unreadable" || settings === undefined ? {} : settings;
}

/** `at(settings, "security", "auth")`; undefined where the way leads nowhere. */
export function at(settings: unknown, ...names: readonly string[]): unknown {
  let value = settings;
  for (const name of names)
    value = typeof value === "object" && value !== null ? (value as Record<string, unknown>)[name] : undefined;
  return value;
}
