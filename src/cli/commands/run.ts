import { existsSync } from "node:fs";
import { Option, type Command } from "commander";
import type { Reins, SessionOptions, TurnResult } from "../../core/api.ts";
import { parseFallback } from "../../core/route/route-options.ts";
import { continuable } from "../../core/session/after-turn.ts";
import { ReinsError } from "../../events/errors.ts";
import { readCloudMark } from "../../view/cloud.ts";
import { printableJson } from "../../view/json-line.ts";
import { endWords } from "../../view/labels.ts";
import { PermissionPrompts } from "../ask/prompts.ts";
import { findTerminal } from "../ask/terminal.ts";
import {
  collect,
  count,
  modeOption,
  numberOption,
  texts,
  type CommandContext,
  type SharedOptions,
} from "../command.ts";
import { type Exit, exitOfTurn } from "../exit-codes.ts";
import { reportError } from "../failure.ts";
import { AfterFailures, Denials, followTurn } from "../follow-turn.ts";
import { commandName } from "../installation.ts";
import { attachments, readPrompt, stdinOf } from "../prompt.ts";
import { Progress } from "../render/progress.ts";
import { Screen, writeOut } from "../render/screen.ts";
import { shellWord } from "../render/text.ts";
import { openReins } from "../server-connection/open-reins.ts";
import { untilEnding } from "../signals.ts";
import { runHelp } from "./help.ts";

/** More bytes than any answer has. */
const everything = 2 ** 30;

const conditions = ["after_failed", ...continuable] as const;

export interface RunOptions extends SharedOptions {
  readonly resume?: string;
  /** Agent ids separated by commas. */
  readonly fallback?: string;
  /** With `resume`: the agent that continues the session. */
  readonly handoff?: string;
  readonly raw?: boolean;
  readonly image?: readonly string[];
  readonly file?: readonly string[];
  readonly system?: string;
  readonly locale?: string;
  readonly allowTool?: readonly string[];
  readonly denyTool?: readonly string[];
  readonly allowUnenforced?: boolean;
  readonly maxTurns?: number;
  readonly maxQuiet?: number;
  readonly maxBudget?: number;
  readonly maxTokens?: number;
  readonly maxTime?: number;
  readonly after?: readonly string[];
  readonly continueOn?: readonly (typeof conditions)[number][];
  /** False: store nothing of this run. */
  readonly store?: boolean;
  readonly help?: boolean;
}

const agentText = "the agent, by its id in `reins agents` (default: one that has the model, or the first ready one)";
const resumeText = "continue a session: its id, its state, the agent's own id, or `last`";
const dollars = numberOption((value) => Number.isFinite(value) && value > 0, "an amount in US dollars, such as 0.50");

export function register(program: Command, { ending, finish }: CommandContext): void {
  program
    .command("run")
    .description("Send a prompt to an agent.")
    .argument("[prompt...]", "the prompt; without one, or with `-`, it is read from stdin")
    .option("-a, --agent <id>", agentText)
    .option("-m, --model <name>", "the model, by a name of `reins models`")
    .option("--fallback <agents>", "agents that take over in this order when the agent cannot continue: b,c")
    .addOption(modeOption("what it may do without asking; see below"))
    .option("--cwd <folder>", "the folder to work in instead of the current one")
    .option("--resume <session>", resumeText)
    .option("--no-store", "do not store this session")
    .option("--json", texts.events)
    .option("--raw", "with --json: add the agent's own message to each event")
    .option("--image <path>", "attach an image; may be repeated", collect)
    .option("--file <path>", "attach a file; may be repeated", collect)
    .option("--system <text>", "add this to the agent's system prompt")
    .option("--locale <tag>", "the language to answer in, such as de or pt-BR")
    .option("--allow-tool <name>", "a tool it may use without asking; may be repeated", collect)
    .option("--deny-tool <name>", "a tool it may never use; may be repeated", collect)
    .option("--allow-unenforced", texts.allowUnenforced)
    .option("--max-turns <n>", "stop after this many rounds with the model", count)
    .option("--max-budget <usd>", "stop at this cost in US dollars", dollars)
    .option("--max-tokens <n>", "stop at this many tokens", count)
    .option("--max-time <seconds>", "stop after this many seconds", count)
    .option("--after <command>", "run this command when done (no shell); may be repeated", collect)
    .addOption(continueOption())
    .option("--max-quiet <seconds>", "fail after this many seconds without output", count)
    .option("-h, --help", "show this help; with -a also the prompt syntax of that agent")
    .addHelpText("after", runHelp)
    .action(async (words: string[], options: RunOptions, command: Command) => {
      if (options.help === true) return showHelp(command, options.agent, ending);
      return finish(await send(words, options, ending));
    });
}

function continueOption(): Option {
  const option = new Option(
    "--continue-on <what>",
    "prompt it again automatically, at most five times; may be repeated",
  );
  // `choices` alone keeps only the last value of a repeated option.
  const check = option.choices(conditions).parseArg!;
  return option.argParser((value, earlier: readonly string[] | undefined) => {
    check(value, "");
    return collect(value, earlier);
  });
}

/** The help of `run`; with an agent, also the prompt syntax of that agent. */
async function showHelp(command: Command, agent: string | undefined, ending: AbortSignal): Promise<void> {
  command.outputHelp();
  if (agent === undefined) return;
  const { createReins } = await import("../../core/reins.ts");
  await using reins = createReins();
  const { name, promptHelp } = await untilEnding(ending, reins.agent(agent));
  if (promptHelp !== undefined) process.stdout.write(`\nPrompts of ${name}:\n\n${promptHelp.trimEnd()}\n`);
}

/** Runs `reins run`: sends the prompt to an agent, or to a cloud agent when it begins with `&`. */
async function send(words: readonly string[], options: RunOptions, ending: AbortSignal): Promise<Exit> {
  const { to, text } = readCloudMark(await promptText(words, ending));
  if (to === "agent") return runText(text, options, ending);
  const { runInCloud } = await import("./cloud.ts");
  return runInCloud(text, cloudOptions(options), ending);
}

/** Options that have no meaning for a cloud agent. They are refused, because they would be ignored. */
const notInCloud = [
  ...["resume", "handoff", "fallback", "raw", "system", "locale", "allowTool", "denyTool", "after", "continueOn"],
  ...["maxTurns", "maxQuiet", "maxBudget", "maxTokens", "maxTime"],
] as readonly (keyof RunOptions)[];

function cloudOptions(options: RunOptions): RunOptions {
  const named = options.store === false ? "noStore" : notInCloud.find((name) => options[name] !== undefined);
  if (named === undefined) return options;
  const option = named.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  throw new ReinsError("invalid_input", `A prompt with & starts a cloud agent, which does not take --${option}.`, {
    help: "Write \\& for a plain ampersand.",
  });
}

function promptText(words: readonly string[], ending: AbortSignal): Promise<string> {
  const screen = new Screen();
  return untilEnding(ending, readPrompt(words, { stdin: stdinOf(0), say: (line) => screen.line(line) }));
}

/** Runs one prompt in a session of its own and shows it live. */
export async function run(words: readonly string[], options: RunOptions, ending: AbortSignal): Promise<Exit> {
  return runText(await promptText(words, ending), options, ending);
}

async function runText(text: string, options: RunOptions, ending: AbortSignal): Promise<Exit> {
  if (options.raw === true && options.json !== true) throw new ReinsError("invalid_input", "`--raw` needs `--json`.");
  const screen = new Screen();
  const prompt = { text, attachments: attachments(options) };
  const json = options.json === true;
  const progress = json ? undefined : new Progress(screen);
  const denials = new Denials();
  const after = new AfterFailures();
  const prompts = new PermissionPrompts();
  const keep = options.store !== false;
  await using opened = await openReins({ keep, server: serverCanRun(options, text) });
  const { reins } = opened;
  using terminal = findTerminal();
  using _still = { [Symbol.dispose]: () => screen.still() };
  using _cancelling = sayWhenCancelling(ending, screen);

  if (!json) screen.status("Starting");
  const asks = terminal === undefined ? undefined : { terminal, prompts, screen };
  const session = await untilEnding(ending, reins.session(sessionOptions(options, asks?.prompts)));
  const start = () => session.prompt(prompt, { signal: ending });
  let kept: Promise<string | undefined> | undefined;
  const result = await followTurn(session, start, asks, async (event, line) => {
    if (!json) kept ??= keptId(reins, session.id);
    await (progress === undefined ? writeOut(printableJson(line())) : progress.show(event));
    const output = after.follow(event);
    if (output !== undefined && !json) screen.line(output, "dim");
    const denied = denials.follow(event);
    if (denied !== undefined) screen.line(denied, "yellow");
  });
  screen.still();
  if (result.error !== undefined) await reportError(result.error);
  if (keep) await opened.cleanUp();
  if (!json) showEnd(screen, result, await kept);
  const exit = exitOfTurn(result);
  // A denied request means that the task is not done, whatever the agent says.
  if (denials.decisive && (exit === "done" || exit === "cancelled")) return "denied";
  return after.failed && exit === "done" ? "failed" : exit;
}

function sessionOptions(options: RunOptions, prompts: PermissionPrompts | undefined): SessionOptions {
  const { agent, model, mode, cwd, resume, handoff, raw, allowUnenforced, maxTurns, after, locale } = options;
  return {
    ...{ agent, model, mode, cwd, resume, handoff, raw, allowUnenforced, maxTurns, after, locale },
    fallback: options.fallback === undefined ? undefined : parseFallback(options.fallback),
    maxBudgetUsd: options.maxBudget,
    budget: budgetOf(options),
    continue: options.continueOn?.map((on) => (on === "after_failed" ? { after: "failed" } : { outcome: on })),
    maxQuietMs: options.maxQuiet === undefined ? undefined : options.maxQuiet * 1000,
    systemPrompt: options.system === undefined ? undefined : { text: options.system, how: "append" },
    tools: { allowed: options.allowTool, disallowed: options.denyTool },
    // A person gets the whole answer.
    messageBytes: options.json === true ? undefined : everything,
    onPermission: prompts?.onPermission,
    onQuestion: prompts?.onQuestion,
  };
}

function budgetOf({ maxBudget: usd, maxTokens: tokens, maxTime: seconds }: RunOptions): SessionOptions["budget"] {
  const isLimited = [usd, tokens, seconds].some((limit) => limit !== undefined);
  return isLimited ? { session: { usd, tokens, seconds } } : undefined;
}

/** The server's limits for a word and a prompt. Longer ones are refused by this process, which can say why. */
const longestWord = 1_000;
const longestPrompt = 8 * 1024 * 1024;

/** Returns whether a server can run this: it has the files, but not the state of this process. */
function serverCanRun(options: RunOptions, text: string): boolean {
  const { agent, model, locale, handoff, fallback, cwd, store, allowTool = [], denyTool = [], after = [] } = options;
  const words = [agent, model, locale, handoff, fallback, ...allowTool, ...denyTool, ...after];
  if (words.some((word) => word !== undefined && (word === "" || word.length > longestWord))) return false;
  if (cwd !== undefined && !existsSync(cwd)) return false;
  return store !== false && options.resume !== "" && text.length <= longestPrompt;
}

/** Acknowledges Ctrl-C, but only when cancelling takes a moment. */
function sayWhenCancelling(ending: AbortSignal, screen: Screen): Disposable {
  let timer: NodeJS.Timeout | undefined;
  ending.addEventListener("abort", () => {
    if (ending.reason !== ("cancelled" satisfies Exit)) return;
    timer = setTimeout(() => screen.line("Cancelling. Press Ctrl-C again to quit at once.", "dim"), 200);
  });
  return { [Symbol.dispose]: () => clearTimeout(timer) };
}

/** Undefined when the session could not be stored: then only the agent knows it. */
async function keptId(reins: Reins, id: string): Promise<string | undefined> {
  return (await reins.sessions.get(id).catch(() => undefined))?.id;
}

function showEnd(screen: Screen, result: TurnResult, kept: string | undefined): void {
  // The error was already shown.
  screen.line(endWords({ ...result, error: undefined }, result.costUsd), "dim");
  if (result.background !== undefined) screen.line("Background tasks end with this command.", "dim");
  const resume = resumeLine(result, undefined, kept);
  if (resume !== undefined) screen.line(`Continue with: ${resume}`, "dim");
}

/** The command that continues this session, quoted for a shell. */
export function resumeLine({ state }: Pick<TurnResult, "state">, command = commandName(), kept?: string) {
  if (kept !== undefined) return `${command} resume ${kept} "..."`;
  return state === undefined ? undefined : `${command} run --resume ${shellWord(state)} "..."`;
}
