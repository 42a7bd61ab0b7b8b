import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** The person's own settings of Qwen Code; it reads them when it starts. */
export function writeSettings(home: string, settings: object): void {
  mkdirSync(join(home, ".qwen"), { recursive: true });
  writeFileSync(join(home, ".qwen", "settings.json"), JSON.stringify(settings));
}

/** It asks the model nothing for itself. */
export const withoutMemory = { memory: { enableManagedAutoMemory: false } };
