import { firstSteps } from "../../view/first-steps.ts";
import { exitCodes } from "../exit-codes.ts";

/** The output of `reins --help`, and of `reins` alone without a terminal. */
export const help = `Reins drives coding agents: one command for all of them, and one way to approve
what they do.

${startLines()}

Commands:
  tui               the terminal interface; \`reins\` alone opens it too
  run [prompt...]   send a prompt to an agent
  attach [agent]    an agent's own interface; leave it running, come back
  agents [id]       list the agents, or one with its models
  status [agent]    who is signed in to what
  models [agent]    the models, and short names for them
  login <agent>     sign in, by the agent's own command; also logout, update
  mcp list [agent]  their MCP servers; also tools, enable, disable, login
  hooks <agent> ..  hooks of Reins in its files: status, install, remove
  cloud list        agents in the cloud; also run, target, stop, delete
  context [state]   what would be sent to the model; nothing is sent
  sessions          the sessions that are kept; also show, rename, rm
  resume [session]  go on with one, or with the last one in this folder
  fork <session>    its conversation as another session
  handoff <session> give it to another agent: --to <agent>
  log <session>     show one again as it was
  search <words>    find words in all of them
  export <session>  take one along: Markdown, a page, or its events
  import [agent]    bring in what the agents themselves keep
  usage             what was used, and who can take work now
  ps                what Reins runs now
  gc                remove what need not be kept
  config            each setting that counts, and where it comes from
  repo              this repository: branch, pull request, what to do next
  policy list       the rules about what agents may do; also test, rm
  completion bash   completion for your shell; also zsh, fish
  doctor            what is here, what works, what to do about the rest
  serve             the page in your browser, and the API
  tour              watch a short session
  help [command]    this help, or that of a command: \`reins help run\`

Options:
  -h, --help        this help
  -v, --version     the version of Reins
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
      what is piped in is added after the prompt
  reins run --json "list the tests" | jq .type
      every event, one line of JSON each

Modes:
  read    looks only
  plan    looks, and proposes a plan for approval
  ask     asks before it changes or runs anything (the default)
  edits   changes files without asking, asks for the rest
  full    asks nothing

At a terminal Reins asks you. Elsewhere nobody can answer, so whatever would
need a yes is denied.

${exitHelp()}`;

function exitHelp(): string {
  const lines = Object.values(exitCodes).map(({ code, meaning }) => `  ${String(code).padEnd(5)} ${meaning}`);
  return ["Exit codes:", ...lines].join("\n");
}
