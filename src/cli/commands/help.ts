import { firstSteps } from "../../view/first-steps.ts";
import { exitCodes } from "../exit-codes.ts";

/** The output of `reins --help`, and of `reins` alone without a terminal. */
export const help = `Reins drives coding agents: one command for all of them, and one way to approve
what they do.

${startLines()}

Commands:
  tui               the terminal interface; \`reins\` alone opens it too
  run [prompt...]   send a prompt to an agent
  attach [agent]    an agent's own interface, which you can leave running
  agents [id]       list the agents, or one with its models
  status [agent]    sign-in status of the agents
  models [agent]    models and their short names
  login <agent>     sign in with the agent's own command; also logout, update
  mcp list [agent]  MCP servers; also tools, enable, disable, login
  hooks <agent> ..  Reins hooks in its settings: status, install, remove
  cloud list        agents in the cloud; also run, target, stop, delete
  context [state]   show what would be sent to the model
  sessions          stored sessions; also show, rename, rm
  resume [session]  continue a session, or the last one in this folder
  fork <session>    copy a conversation into a new session
  handoff <session> hand a session to another agent: --to <agent>
  log <session>     show the log of a session
  search <words>    search the text of all sessions
  export <session>  export as Markdown, an HTML page, or events
  import [agent]    import the agents' own conversations
  usage             usage, and which agents have quota left
  ps                running agents
  gc                delete old data
  config            effective settings and their origin
  repo              this repository: branch, pull request, next step
  policy list       rules for what agents may do; also test, rm
  completion bash   completion for your shell; also zsh, fish
  doctor            check the installed agents and how to fix them
  serve             serve the web page and the API
  tour              watch a short session
  help [command]    show this help, or the help of a command

Options:
  -h, --help        show this help
  -v, --version     show the version of Reins
`;

function startLines(): string {
  const lines = [
    ["reins", "open the terminal interface"],
    ...firstSteps.map(({ shell, title }) => [shell, title[0]?.toLowerCase() + title.slice(1)]),
    ['reins run "explain this folder"', "send a prompt to the first agent ready"],
  ];
  return lines.map(([command = "", purpose]) => `  ${command.padEnd(33)} ${purpose}`).join("\n");
}

export const runHelp = `
Examples:
  reins run "explain this folder"
      the answer goes to stdout, everything else to stderr
  reins run --mode edits "fix the typo in README.md"
      files may change without asking
  git diff | reins run "review this change"
      piped input is added after the prompt
  reins run --json "list the tests" | jq .type
      every event, one line of JSON each

Modes:
  read    only reads
  plan    reads, and proposes a plan for approval
  ask     asks before it changes or runs anything (the default)
  edits   changes files without asking, asks for the rest
  full    never asks

At a terminal Reins asks you. Without one nobody can answer, so whatever would
need approval is denied.

${exitHelp()}`;

function exitHelp(): string {
  const lines = Object.values(exitCodes).map(({ code, meaning }) => `  ${String(code).padEnd(5)} ${meaning}`);
  return ["Exit codes:", ...lines].join("\n");
}
