/** What agents wrote into logs of their own: all that is left to look at when a scenario failed on another machine. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const shown = 3_000;

/** The end of each file `*.log` in a home; empty where there is none. */
export function logTails(home: string): string {
  return namesIn(home)
    .filter((name) => name.endsWith(".log") && !name.includes("node_modules"))
    .map((name) => `${name}:\n${tailOf(join(home, name))}`)
    .join("\n");
}

/** An agent that still works there takes folders away while they are listed; that must not hide why the scenario failed. */
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
