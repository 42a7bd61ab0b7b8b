import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { placeOf, shown, workPlace } from "../places.ts";
import type { Turn } from "../turn.ts";
import { matcherOf } from "../wildcard.ts";
import { clipText } from "../../../events/clip.ts";
import { defineTool } from "./definition.ts";

const mostFound = 1_000;
const mostSeen = 100_000;
/** Nobody who looks for a file means these. */
const passedOver = new Set([".git", "node_modules"]);

export const glob = defineTool<{ readonly pattern: string; readonly path: string }>({
  name: "glob",
  tool: "glob",
  description:
    "Find files by a pattern such as `src/**/*.ts`. `.git` and `node_modules` are passed over, links are not followed.",
  inputSchema: {
    type: "object",
    properties: {
      pattern: { type: "string" },
      path: { type: "string", description: "The folder to look in; the working folder unless given." },
    },
    required: ["pattern"],
  },
  check: (input) => ({ pattern: input.text("pattern"), path: input.optionalText("path") ?? "." }),
  about: ({ pattern, path }) => ({ pattern, path: path === "." ? undefined : path }),
  places: async (turn, { path }) => [await placeOf(turn, path)],
  run: async (turn, { pattern, path }, running) => {
    const found = await find(turn, await workPlace(turn, path, running), pattern);
    const names = found.slice(0, mostFound).map((name) => shown(turn, join(path, name)));
    if (names.length === 0) return { text: "Nothing matches." };
    if (found.length > mostFound) names.push(`There are more than ${mostFound}; narrow the pattern.`);
    return clipText(names.join("\n"), turn.desk.context.limits.inlineBytes);
  },
});

/** Relative to the folder, in the order of names. */
async function find(turn: Turn, folder: string, pattern: string): Promise<string[]> {
  const isMatch = matcherOf(pattern);
  const found: string[] = [];
  const folders = [""];
  let seen = 0;
  for (let at = folders.pop(); at !== undefined; at = folders.pop()) {
    turn.signal.throwIfAborted();
    const entries = await readdir(join(folder, at), { withFileTypes: true }).catch(() => []);
    for (const entry of entries) {
      const path = at === "" ? entry.name : `${at}/${entry.name}`;
      if (entry.isDirectory() && !passedOver.has(entry.name)) folders.push(path);
      else if (!entry.isDirectory() && isMatch(path)) found.push(path);
    }
    seen += entries.length;
    if (seen > mostSeen || found.length > mostFound) break;
  }
  return found.sort();
}
