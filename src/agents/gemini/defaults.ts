/**
 * Defaults of ours, below everything a person, a project or an administrator sets: no retries (its own ten take minutes and say nothing,
 * and after an answer that broke off its beginning is said twice), outputs of commands as text, no updates behind our back, and the
 * way to sign in that the environment means. The program reads them only from a file in a safe place, which a temporary folder is not.
 */
import { access, mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Environment } from "./home.ts";
import { authTypeIn } from "./sign-in.ts";

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
