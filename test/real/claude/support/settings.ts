import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Writes the person's own settings of Claude Code, which it reads at its start. */
export function writeSettings(home: string, settings: object): void {
  mkdirSync(join(home, ".claude"), { recursive: true });
  writeFileSync(join(home, ".claude", "settings.json"), JSON.stringify(settings));
}
