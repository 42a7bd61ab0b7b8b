/** The agents' own log files: the only trace of a scenario that failed on another machine. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const shown = 3_000;

/** The end of each `*.log` file in a home; empty when there is none. */
export function logTails(home: string): string {
  return namesIn(home)
    .filter((name) => name.endsWith(".log") && !name.includes("node_modules"))
    .map((name) => `${name}:\n${tailOf(join(home, name))}`)
    .join("\n");
}

/** A running agent may remove folders while they are listed; that must not hide why the scenario failed. */
function namesIn(home: string): string[] {
  try {
    return readdirSync(home, { recursive: true, encoding: "utf8" });
  } catch {
    return [];
  }
}

function tailOf(path: string): string {
  try {
    return readFileSync(path, "utf8").slice(-shown);
  } catch {
    return "";
  }
}
