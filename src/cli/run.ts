import type { Reins, SessionOptions, TurnResult } from "../core/api.ts";
import { parseFallback } from "../core/route/route.ts";
import { ReinsError } from "../events/errors.ts";
import type { Mode } from "../events/modes.ts";
import { endWords } from "../view/words.ts";
import { AfterFailures } from "./after-failures.ts";
import { attachments } from "./attachments.ts";
import { Denials } from "./denials.ts";
import { Desk } from "./desk.ts";
import { untilEnding } from "./ending.ts";
import { type Exit, exitOfTurn } from "./exit-codes.ts";
import { reportError } from "./failure.ts";
import { fitsServer } from "./fits-server.ts";
import { followTurn } from "./follow-turn.ts";
import { jsonLine } from "./json-line.ts";
import { openReins } from "./opened-reins.ts";
import type { ServerAhead } from "./opened-reins.ts";
import { findPerson } from "./person.ts";
import { Progress } from "./progress.ts";
import { readPrompt } from "./prompt.ts";
import { resumeLine } from "./resume-line.ts";
import { rulesOf } from "./run-rules.ts";
import type { RuleOptions } from "./run-rules.ts";
import { Screen, writeOut } from "./screen.ts";
import { stdinOf } from "./stdin.ts";

/** More than any answer has. */
const everything = 2 ** 30;

export interface RunOptions extends RuleOptions {
  readonly agent?: string;
  readonly model?: string;
  readonly mode?: Mode;
  readonly cwd?: string;
  readonly resume?: string;
  /** Ids with commas between them. */
  readonly fallback?: string;
  /** With `resume`: who goes on with it. */
  readonly handoff?: string;
  readonly json?: boolean;
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
  /** False: nothing of it is kept. */
  readonly store?: boolean;
  readonly help?: boolean;
}

/** `reins run`: one prompt in a session of its own, shown as it goes. */
export async function run(
  words: readonly string[],
  options: RunOptions,
  ending: AbortSignal,
  ahead?: ServerAhead,
): Promise<Exit> {
  if (options.raw === true && options.json !== true)
    throw new ReinsError("invalid_input", "`--raw` only goes together with `--json`.");
  const screen = new Screen();
  const text = await untilEnding(ending, readPrompt(words, { stdin: stdinOf(0), say: (line) => screen.line(line) }));
  const prompt = { text, attachments: attachments(options) };
  const json = options.json === true;
  const progress = json ? undefined : new Progress(screen);
  const denials = new Denials();
  const after = new AfterFailures();
  const desk = new Desk();
  const keep = options.store !== false;
  await using opened = await openReins({ keep, server: fitsServer(options, text), ahead });
  const { reins } = opened;
  using person = findPerson();
  using _still = { [Symbol.dispose]: () => screen.still() };
  using _cancelling = sayWhenCancelling(ending, screen);

  if (!json) screen.status("Starting");
  const session = await untilEnding(
    ending,
    reins.session(sessionOptions(options, person === undefined ? undefined : desk)),
  );
  const start = () => session.prompt(prompt, { signal: ending });
  const asks = person === undefined ? undefined : { person, desk, screen };
  let kept: Promise<string | undefined> | undefined;
  const result = await followTurn(session, start, asks, async (event) => {
    if (!json) kept ??= keptId(reins, session.id);
    await (progress === undefined ? writeOut(jsonLine(event)) : progress.show(event));
    const output = after.follow(event);
    if (output !== undefined && !json) screen.line(output, "dim");
    const denied = denials.follow(event);
    if (denied !== undefined) screen.line(denied, "yellow");
  });
  screen.still();
  if (result.error !== undefined) await reportError(result.error);
  if (keep) await opened.tidy();
  if (!json) showEnd(screen, result, await kept);
  const exit = exitOfTurn(result);
  // A turn that was not allowed what it wanted has not done what was asked, whatever the agent says.
  if (denials.decisive && (exit === "done" || exit === "cancelled")) return "denied";
  return after.failed && exit === "done" ? "failed" : exit;
}

function sessionOptions(options: RunOptions, desk: Desk | undefined): SessionOptions {
  return {
    agent: options.agent,
    model: options.model,
    mode: options.mode,
    cwd: options.cwd,
    resume: options.resume,
    handoff: options.handoff,
    fallback: options.fallback === undefined ? undefined : parseFallback(options.fallback),
    raw: options.raw,
    allowUnenforced: options.allowUnenforced,
    maxTurns: options.maxTurns,
    maxBudgetUsd: options.maxBudget,
    ...rulesOf(options),
    maxQuietMs: options.maxQuiet === undefined ? undefined : options.maxQuiet * 1000,
    locale: options.locale,
    systemPrompt: options.system === undefined ? undefined : { text: options.system, how: "append" },
    tools: { allowed: options.allowTool, disallowed: options.denyTool },
    // A person gets the whole answer.
    messageBytes: options.json === true ? undefined : everything,
    onPermission: desk?.onPermission,
    onQuestion: desk?.onQuestion,
  };
}

/** Said to the one who pressed Ctrl-C, and only when it takes a moment. */
function sayWhenCancelling(ending: AbortSignal, screen: Screen): Disposable {
  let timer: NodeJS.Timeout | undefined;
  ending.addEventListener("abort", () => {
    if (ending.reason !== ("cancelled" satisfies Exit)) return;
    timer = setTimeout(() => screen.line("Cancelling; Ctrl-C again leaves at once.", "dim"), 200);
  });
  return { [Symbol.dispose]: () => clearTimeout(timer) };
}

/** Undefined where it could not be kept: then only the agent knows the session. */
async function keptId(reins: Reins, id: string): Promise<string | undefined> {
  return reins.sessions.get(id).then(
    (kept) => kept.id,
    () => undefined,
  );
}

function showEnd(screen: Screen, result: TurnResult, kept: string | undefined): void {
  // The error, if there is one, has been told.
  screen.line(endWords({ ...result, error: undefined }, result.costUsd), "dim");
  if (result.background !== undefined) screen.line("What still runs in the background ends with this command.", "dim");
  const resume = resumeLine(result, undefined, kept);
  if (resume !== undefined) screen.line(`Go on with: ${resume}`, "dim");
}
