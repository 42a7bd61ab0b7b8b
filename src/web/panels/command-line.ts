import type { CommandAnswer } from "../../server/schemas/agents.ts";

/** As a person types it in a shell. */
export function commandLine({ command, args, env = {} }: CommandAnswer): string {
  const variables = Object.entries(env).map(([name, value]) => `${name}=${quoted(value)}`);
  return [...variables, quoted(command), ...args.map(quoted)].join(" ");
}

function quoted(word: string): string {
  return /^[\w@%+=:,./~-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
