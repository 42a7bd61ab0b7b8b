import { existsSync } from "node:fs";
import type { RunOptions } from "./run.ts";

/** As long as the server takes a word, and a prompt, to be. What is longer is refused here in the words of who knows why. */
const longestWord = 1_000;
const longestPrompt = 8 * 1024 * 1024;

/** Whether a server can be asked to do this. It sees what is here, but not what this process alone has. */
export function fitsServer(options: RunOptions, text: string): boolean {
  const { agent, model, locale, handoff, fallback, cwd, store, allowTool = [], denyTool = [], after = [] } = options;
  const words = [agent, model, locale, handoff, fallback, ...allowTool, ...denyTool, ...after];
  if (words.some((word) => word !== undefined && (word === "" || word.length > longestWord))) return false;
  if (cwd !== undefined && !existsSync(cwd)) return false;
  return store !== false && options.resume !== "" && text.length <= longestPrompt;
}
