import { exitCodes } from "./exit-codes.ts";

/** What `reins` says by itself: what a newcomer needs first. */
export const help = `Reins drives coding agents: one command for all of them, one way to approve what they do.

  reins tour                              watch a short session; needs nothing installed
  reins agents                            which agents are on this machine, and what each still needs
  reins run "explain this folder"         send a prompt to the first agent that is ready

Commands:
  run [prompt...]   send a prompt to an agent
  agents            list the agents
  tour              watch a short session
  help [command]    this help, or that of a command, as \`reins run --help\`

Options:
  -h, --help        this help
  -v, --version     the version of Reins
`;

export const runHelp = `
Examples:
  reins run "explain this folder"                     its answer on stdout, what it does on stderr
  reins run --mode edits "fix the typo in README.md"  files may change without asking
  git diff | reins run "review this change"           what is piped in stands after the prompt
  reins run --json "list the tests" | jq .type        every event, one a line

Modes:
  read    looks only
  plan    looks, and proposes a plan for approval
  ask     asks before it changes or runs anything (the default)
  edits   changes files without asking, asks for the rest
  full    asks nothing

On a terminal Reins asks you; elsewhere nobody can answer, so what would need a yes is denied.

${exitHelp()}`;

function exitHelp(): string {
  const lines = Object.values(exitCodes).map(({ code, meaning }) => `  ${String(code).padEnd(5)} ${meaning}`);
  return ["Exit codes:", ...lines].join("\n");
}
