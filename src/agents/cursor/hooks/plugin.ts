/** A plugin with nothing but our hooks in it, in a folder of its own that goes when the session goes. */
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { withEntries } from "./hooks-file.ts";
import type { HookEntry } from "./hooks-file.ts";

const manifest = { name: "reins", version: "1.0.0", description: "Asks Reins about what is about to happen." };

export async function writePlugin(folder: string, entries: readonly HookEntry[]): Promise<string> {
  const plugin = join(folder, "plugin");
  await mkdir(join(plugin, ".cursor-plugin"), { recursive: true, mode: 0o700 });
  await mkdir(join(plugin, "hooks"), { mode: 0o700 });
  await writeFile(join(plugin, ".cursor-plugin", "plugin.json"), JSON.stringify(manifest), { mode: 0o600 });
  await writeFile(join(plugin, "hooks", "hooks.json"), withEntries(undefined, entries), { mode: 0o600 });
  return plugin;
}
