/** Changes one setting in the user's configuration file and keeps the rest of the file unchanged, including comments. */
import { mkdir, readFile, realpath, rename, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { parseJsonc } from "../../agents/shared/jsonc.ts";
import { ReinsError } from "../../events/errors.ts";
import { randomId } from "../../process/crypto.ts";
import type { UiSettingKey } from "../../view/ui-settings.ts";
import { userFolder, type Environment } from "./config-files.ts";

/** Serialises changes: each starts from the file that the previous one wrote. */
let last: Promise<unknown> = Promise.resolve();

/**
 * Saves a setting, such as `saveUserSetting(env, "ui.theme", "dark")`; undefined removes it. Throws `invalid_input`
 * when the file or the value is invalid.
 */
export function saveUserSetting(
  env: Environment,
  key: UiSettingKey,
  value: string | number | boolean | undefined,
): Promise<void> {
  const saved = last.then(() => save(env, key, value));
  last = saved.catch(() => undefined);
  return saved;
}

async function save(env: Environment, key: UiSettingKey, value: string | number | boolean | undefined): Promise<void> {
  const named = join(userFolder(env), "config.json");
  // The file may be a symlink to a file that the user keeps elsewhere; keep the symlink.
  const path = await realpath(named).catch(() => named);
  const before = await textOf(path);
  try {
    const after = await changed(before?.text ?? "{}\n", key, value);
    if (after !== before?.text) await replace(path, after, before?.mode ?? 0o600);
  } catch (thrown) {
    const why = thrown instanceof SyntaxError ? "it is not JSON." : thrown instanceof Error ? thrown.message : "";
    throw new ReinsError("invalid_input", `${key} could not be saved in ${named}: ${why}`, { cause: thrown });
  }
}

async function textOf(path: string): Promise<{ readonly text: string; readonly mode: number } | undefined> {
  try {
    const { mode } = await stat(path);
    return { text: await readFile(path, "utf8"), mode: mode & 0o777 };
  } catch (thrown) {
    if (thrown instanceof Error && "code" in thrown && thrown.code === "ENOENT") return undefined;
    throw new ReinsError("invalid_input", `The configuration ${path} cannot be read.`, { cause: thrown });
  }
}

async function changed(text: string, key: string, value: unknown): Promise<string> {
  await parseJsonc(text);
  const { applyEdits, modify } = await import("jsonc-parser");
  const mark = text.startsWith("\uFEFF") ? "\uFEFF" : "";
  const body = text.slice(mark.length);
  const eol = body.includes("\r\n") ? "\r\n" : "\n";
  const formattingOptions = { insertSpaces: !/^\t/m.test(body), tabSize: 2, eol };
  const after = applyEdits(body, modify(body, key.split("."), value, { formattingOptions }));
  const { parseConfiguration } = await import("./config-schema.ts");
  await parseConfiguration(await parseJsonc(after), async () => () => undefined);
  return mark + after;
}

/** Replaces the file atomically: a reader sees the old or the new file, never a part. */
async function replace(path: string, text: string, mode: number): Promise<void> {
  const draft = `${path}.${randomId()}`;
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    await writeFile(draft, text, { mode, flush: true });
    await rename(draft, path);
  } catch (thrown) {
    await rm(draft, { force: true }).catch(() => undefined);
    throw thrown;
  }
}
