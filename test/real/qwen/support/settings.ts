import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Writes the person's own settings of Qwen Code, which it reads at its start. */
export function writeSettings(home: string, settings: object): void {
  mkdirSync(join(home, ".qwen"), { recursive: true });
  writeFileSync(join(home, ".qwen", "settings.json"), JSON.stringify(settings));
}

/** Turns off the agent's own model requests. */
export const withoutMemory = { memory: { enableManagedAutoMemory: false } };
