/** What `opencode auth list` prints, which is made for people. */
import type { SignIn } from "../shared/program.ts";

const colours = /\x1b\[[0-9;]*m/g;

/** `Anthropic (api)`, `OpenAI (OPENAI_API_KEY)`. */
export function credentialsIn(stdout: string): string[] {
  return stdout
    .replaceAll(colours, "")
    .split("\n")
    .flatMap((line) => {
      const [, name, how] = /^●\s+(.*\S)\s+(\S+)$/.exec(line.trim()) ?? [];
      return name === undefined || how === undefined ? [] : [`${name} (${how})`];
    });
}

/** Without any it still has models that need none, and those of services in its settings. */
export function signIn(stdout: string): SignIn {
  const found = credentialsIn(stdout);
  return found.length === 0 ? { signedIn: "unknown" } : { signedIn: "yes", signedInHow: found.join(", ") };
}
