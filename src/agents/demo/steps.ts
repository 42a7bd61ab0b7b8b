/** The steps that a prompt to the demo agent may have, one row each: syntax, argument, and effect. */
import { errorCodes, errorInfo, errorTable, ReinsError, type ErrorCode } from "../../events/errors.ts";
import type { PlanEntry } from "../../events/types.ts";
import { inForeground } from "../shared/in-process/background.ts";
import { EndTurn, sleepOrEnd } from "../shared/in-process/stop-turn.ts";
import { askQuestion } from "../shared/in-process/tool-call.ts";
import type { Turn } from "./session.ts";
import { useTool } from "./tools.ts";
import { firstWord, splitSteps, splitWords, unquote } from "./words.ts";

interface StepKind {
  readonly usage: string;
  readonly meaning: string;
  /** Undefined when the text is not an argument of this step. Does no I/O. */
  readonly read: (rest: string) => object | undefined;
  readonly perform: (turn: Turn, argument: never) => Promise<void>;
}

const step = <Argument extends object>(
  usage: string,
  meaning: string,
  read: (rest: string) => Argument | undefined,
  perform: (turn: Turn, argument: Argument) => Promise<void>,
): StepKind => ({ usage, meaning, read, perform });

/** A timer cannot wait longer than this. */
const maxMs = 2 ** 31 - 1;

const nothing = (rest: string) => (rest === "" ? {} : undefined);
const someText = (rest: string) => (rest === "" ? undefined : { text: unquote(rest) });
const wholeNumber = (rest: string) => (/^\d{1,15}$/.test(rest) ? Number(rest) : undefined);
const duration = (rest: string) => {
  const ms = wholeNumber(rest);
  return ms === undefined ? undefined : { ms: Math.min(ms, maxMs) };
};
const amount =
  <Name extends string>(name: Name) =>
  (rest: string) => {
    const value = wholeNumber(rest);
    return value === undefined ? undefined : ({ [name]: value } as Record<Name, number>);
  };

const kinds: Readonly<Record<string, StepKind>> = {
  list: step("list", "list the folder", nothing, (turn) => useTool(turn, "list", {})),
  read: step(
    "read F",
    "read a file",
    (rest) => {
      const file = firstWord(rest);
      return file.word !== "" && file.rest === "" ? { path: file.word } : undefined;
    },
    (turn, { path }) => useTool(turn, "read", { path }),
  ),
  write: step(
    "write F text",
    "write a file",
    (rest) => {
      const file = firstWord(rest);
      return file.word === "" ? undefined : { path: file.word, text: unquote(file.rest) };
    },
    (turn, { path, text }) => useTool(turn, "write", { path, text }),
  ),
  edit: step(
    "edit F from -> to",
    "replace the first place where the text occurs",
    readEdit,
    (turn, { path, from, to }) => useTool(turn, "edit", { path, from, to }),
  ),
  run: step(
    "run cmd",
    'run a program; for a shell: run sh -c "..."',
    (rest) => (splitWords(rest)[0] ? { command: rest } : undefined),
    (turn, { command }) => useTool(turn, "run", { command }),
  ),
  ask: step(
    "ask question",
    "ask you something",
    (rest) => (rest === "" ? undefined : { question: unquote(rest) }),
    async (turn, { question }) => {
      const options = [{ label: "Yes" }, { label: "No" }];
      const { words } = await askQuestion(turn, { text: question, options, multiple: false });
      await say(turn, words === undefined ? "You left the question open." : `You answered: ${words}.`);
    },
  ),
  plan: step("plan", "make a plan; in mode plan it waits for your approval", nothing, plan),
  think: step("think text", "think aloud", someText, (turn, { text }) => think(turn, text)),
  say: step("say text", "say something", someText, (turn, { text }) => say(turn, text)),
  sleep: step("sleep ms", "do nothing for a while", duration, async (turn, { ms }) => {
    await sleepOrEnd(turn.signal, ms);
    turn.notes.push(`Slept ${ms} ms`);
  }),
  stream: step("stream N", "say something in N pieces", amount("count"), (turn, { count }) =>
    speak(turn, "message", numbers(count)),
  ),
  big: step("big N", "a tool output of N bytes", amount("bytes"), (turn, { bytes }) => useTool(turn, "big", { bytes })),
  subagent: step(
    "subagent steps",
    'let a subagent do it: subagent "list; say hi"',
    (rest): { steps: readonly Step[]; text: string } | undefined => {
      const text = unquote(rest);
      const steps = parse(text);
      return steps && { steps, text };
    },
    subagent,
  ),
  background: step("background ms", "start a task that continues after the turn", duration, (turn, { ms }) =>
    useTool(turn, "background", { ms }),
  ),
  fail: step(
    "fail code",
    "end the turn with an error code, such as overloaded",
    (rest) => (rest !== "" && firstWord(rest).rest === "" ? { code: rest } : undefined),
    async (_turn, { code }) => fail(code),
  ),
  help: step("help", "this text", nothing, (turn) => say(turn, promptHelp)),
};

/** A step and its argument. `unknown` marks a part of the prompt that is no step. */
export interface Step {
  readonly do: string;
  readonly text?: string;
}

/** The steps of a prompt; undefined when no part of it is a step, which means the tour. */
export function parse(text: string): readonly Step[] | undefined {
  const steps = splitSteps(text).map((part): Step => {
    const { word, rest } = firstWord(part);
    const argument = Object.hasOwn(kinds, word) ? kinds[word]?.read(rest) : undefined;
    return argument === undefined ? { do: "unknown", text: part } : { do: word, ...argument };
  });
  return steps.some((one) => one.do !== "unknown") ? steps : undefined;
}

export async function perform(turn: Turn, one: Step): Promise<void> {
  // The argument was read by the same row.
  if (one.do !== "unknown") return kinds[one.do]!.perform(turn, one as never);
  await say(turn, `I do not know the step “${one.text}”; say \`help\` for those I know.`);
}

/** The answer to the prompt `help`, also shown by `reins run -a demo --help`. */
export const promptHelp = `A prompt is one step, or several separated by semicolons:

${Object.values(kinds)
  .map(({ usage, meaning }) => `  ${usage.padEnd(24)}${meaning}`)
  .join("\n")}

Put quotes around text with a semicolon in it: write notes.txt "one; two".
Any other text gets a short tour that ends in one small edit.
`;

function readEdit(rest: string): { path: string; from: string; to: string } | undefined {
  const file = firstWord(rest);
  if (file.word === "") return undefined;
  const quoted = /^["']/.test(file.rest) ? firstWord(file.rest) : undefined;
  if (quoted?.rest.startsWith("->"))
    return { path: file.word, from: quoted.word, to: unquote(quoted.rest.slice(2).trim()) };
  const arrow = /^(.+?)\s+->(?:\s+(.*))?$/s.exec(file.rest);
  return arrow ? { path: file.word, from: arrow[1]!, to: unquote(arrow[2] ?? "") } : undefined;
}

/** Emits text like a model: in pieces, and whole at the end, also when it is cut short. */
async function speak(turn: Turn, kind: "message" | "thought", pieces: Iterable<string>): Promise<void> {
  const messageId = turn.newId(kind);
  let text = "";
  try {
    for (const piece of pieces) {
      const room = turn.emit({ type: `${kind}.delta`, messageId, text: piece });
      text += piece;
      if (room !== undefined) await room;
    }
  } finally {
    if (text !== "") turn.close({ type: `${kind}.completed`, messageId, text });
  }
  if (kind === "message") turn.said = true;
}

export async function say(turn: Turn, text: string): Promise<void> {
  await speak(turn, "message", inPieces(text));
}

export async function think(turn: Turn, text: string): Promise<void> {
  await speak(turn, "thought", inPieces(text));
}

function inPieces(text: string): string[] {
  return text.match(/(?:\S*\s*){1,3}/g)?.filter((piece) => piece !== "") ?? [];
}

/** Each piece is produced only when there is room for it. */
function* numbers(count: number): Generator<string> {
  for (let number = 1; number <= count; number++) yield `${number} `;
}

const planTexts = ["Look at the folder", "Make one small change", "Say what was done"];

export function planAt(done: number): PlanEntry[] {
  return planTexts.map((text, index) => ({
    text,
    status: index < done ? "completed" : index === done ? "in_progress" : "pending",
  }));
}

/** Shows a plan; in mode plan it also asks for approval, and an approved plan ends that mode. */
async function plan(turn: Turn): Promise<void> {
  await turn.emit({ type: "plan.updated", entries: planAt(0) });
  if (turn.context.mode !== "plan") return void turn.notes.push("Made a plan");
  const list = planTexts.map((text, index) => `${index + 1}. ${text}`).join("\n");
  await useTool(turn, "plan", { plan: `# The plan\n\n${list}\n` });
}

/** Runs the steps as a subagent: their events belong to its call, and a failure fails only the call. */
async function subagent(turn: Turn, { steps, text }: { steps: readonly Step[]; text: string }): Promise<void> {
  await useTool(
    turn,
    "subagent",
    { prompt: text },
    {
      run: async (_turn, { prompt: title }, { callId }) => {
        const work = async (inner: Turn): Promise<string> => {
          for (const part of steps) await perform(inner, part);
          return inner.summary || "Done.";
        };
        const text = await inForeground(turn, { callId, kind: "subagent", title }, work).catch((thrown: unknown) => {
          if (!(thrown instanceof EndTurn) || thrown.outcome !== "failed") throw thrown;
          throw new Error(thrown.message, { cause: thrown });
        });
        return { text, note: "The subagent is done" };
      },
    },
  );
}

/** A limit resets this long after the failure. */
const resetMs = 60_000;

/** Ends the turn as an agent with that failure would. */
function fail(code: string): never {
  const agent = "demo";
  if (!Object.hasOwn(errorTable, code)) {
    const help = `Use one of ${errorCodes.join(", ")}.`;
    throw new EndTurn(
      "failed",
      errorInfo(new ReinsError("invalid_input", `There is no error code ${code}.`, { agent, help })),
    );
  }
  const { meaning } = errorTable[code as ErrorCode];
  const resets = code === "rate_limited" || code === "quota_exhausted";
  const resetsAt = resets ? new Date(Date.now() + resetMs).toISOString() : undefined;
  const message = `The demo agent was asked to fail: ${meaning}`;
  throw new EndTurn("failed", errorInfo(new ReinsError(code as ErrorCode, message, { agent, resetsAt })));
}
