import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** The person's own settings of Claude Code; it reads them when it starts. */
export function writeSettings(home: string, settings: object): void {
  mkdirSync(join(home, ".claude"), { recursive: true });
  writeFileSync(join(home, ".claude", "settings.json"), JSON.stringify(settings));
}
