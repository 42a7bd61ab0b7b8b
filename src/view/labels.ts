/** Describes events in a few words on one line. Text from outside is made printable here. */
import { oneLine } from "../events/printable.ts";
import type { ToolOutput } from "../events/types.ts";
import type * as model from "./model.ts";

const phases: Readonly<Record<NonNullable<model.TurnEntry["phase"]>, string>> = {
  model: "Waiting for the model",
  tool: "Running a tool",
  person: "Waiting for approval",
  retry: "Retrying",
  compact: "Compacting the conversation",
  background: "Working in the background",
};

export function phaseWords(phase: NonNullable<model.TurnEntry["phase"]>): string {
  return phases[phase];
}

export function outputWords(output: ToolOutput, exitCode?: number): string {
  const lines = output.text === "" ? 0 : output.text.replace(/\n$/, "").split("\n").length;
  const cut = output.kept < output.bytes ? `the first ${output.kept} of ${output.bytes} bytes` : undefined;
  const exit = exitCode === undefined || exitCode === 0 ? undefined : `exit code ${exitCode}`;
  return dotted(exit, cut ?? (lines === 0 ? (exit === undefined ? "no output" : undefined) : count(lines, "line")));
}

/** A command that exits with an error did not fail as a tool, but it gets no check mark either. */
export function outputMark(exitCode: number | undefined): "✓" | "✗" {
  return exitCode === undefined || exitCode === 0 ? "✓" : "✗";
}

export function failureWords({ reason, error }: Pick<model.ToolItem, "reason" | "error">): string {
  const exit = error?.exitCode === undefined ? undefined : `exit code ${error.exitCode}`;
  return `${reason === undefined || reason === "error" ? "failed" : reason}: ${dotted(oneLine(error?.message ?? ""), exit)}`;
}

const operations = { create: "created", modify: "changed", delete: "deleted", move: "moved" } as const;

export function changeWords({ path, op, oldPath, added, removed }: model.FileChange): string {
  const what = oldPath === undefined ? oneLine(path) : `${oneLine(oldPath)} → ${oneLine(path)}`;
  const counts = added === undefined || removed === undefined ? "" : ` (+${added} −${removed})`;
  return `${operations[op]} ${what}${counts}`;
}

export function planWords({ entries }: Pick<model.PlanItem, "entries">): string {
  const done = entries.filter((entry) => entry.status === "completed").length;
  const now = entries.find((entry) => entry.status === "in_progress");
  return `plan: ${done} of ${entries.length} done${now === undefined ? "" : `, now ${oneLine(now.text)}`}`;
}

/** `person` names the person who answered, such as "you". */
export function permissionWords(
  { outcome, by, message }: NonNullable<model.PermissionItem["resolution"]>,
  person = "person",
): string {
  return `${outcome} by ${by === "person" ? person : by}${message === undefined ? "" : `: ${oneLine(message)}`}`;
}

export function questionWords(
  { outcome, by, answers }: NonNullable<model.QuestionItem["resolution"]>,
  person = "person",
): string {
  const who = by === "person" ? person : by;
  const given = Object.values(answers ?? {})
    .flat()
    .map(oneLine);
  return given.length > 0 ? `${outcome} by ${who}: ${given.join(", ")}` : `${outcome} by ${who}`;
}

/** No "background" for a subagent: a turn may wait for it. Only a shell always runs in the background. */
const taskKinds: Readonly<Record<model.Task["taskKind"], string>> = {
  subagent: "subagent",
  shell: "background",
  other: "task",
};

export function taskWords(task: { readonly [Key in keyof model.Task]?: model.Task[Key] | undefined }): string {
  const { taskKind = "other", title, status, summary } = task;
  const what = title === undefined ? "" : ` ${oneLine(title)}`;
  return `${taskKinds[taskKind]}${what}: ${status}${summary === undefined ? "" : `, ${oneLine(summary)}`}`;
}

export function noticeWords({ message, count: times }: Pick<model.NoticeItem, "message" | "count">): string {
  return oneLine(message) + (times === undefined || times < 2 ? "" : ` (${times} times)`);
}

export function attachedWords({ attachments = [] }: Pick<model.InputItem, "attachments">): string | undefined {
  return attachments.length === 0 ? undefined : `attached: ${attachments.map(({ name }) => oneLine(name)).join(", ")}`;
}

export function continuedWords({ input }: Pick<model.TurnEntry, "input">): string {
  return `prompted again automatically: ${oneLine(input?.text.split("\n", 1)[0] ?? "")}`;
}

export function retryWords({ attempt, ofMax, delayMs, error }: Omit<model.RetryItem, "kind">): string {
  const wait = delayMs === undefined ? "" : ` in ${duration(delayMs)}`;
  return `retry ${attempt}${ofMax === undefined ? "" : ` of ${ofMax}`}${wait}: ${oneLine(error.message)}`;
}

const amounts: Readonly<Record<string, number>> = {
  ...{ one: 1, two: 2, three: 3, four: 4, five: 5, six: 6, seven: 7, ten: 10, twelve: 12, fourteen: 14, thirty: 30 },
};
const inMinutes: Readonly<Record<string, number>> = { minute: 1, hour: 60, day: 1_440, week: 10_080 };
const wholeUnits: Readonly<Record<string, string>> = {
  ...{ hour: "hourly limit", day: "daily limit", week: "weekly limit", month: "monthly limit" },
};

/** The window of a plan's allowance in people's words: `five_hour` is "5-hour limit", `seven_day_opus` "weekly limit (opus)". */
export function limitName(window: string): string {
  const words = oneLine(window).replaceAll("_", " ").trim();
  const whole = Object.hasOwn(wholeUnits, words) ? wholeUnits[words] : undefined;
  if (whole !== undefined) return whole;
  const [, amount = "", unit = "", rest] = /^(\d{1,6}|[a-z]+) (minute|hour|day|week)s?(?: (.+))?$/.exec(words) ?? [];
  const number = Object.hasOwn(amounts, amount) ? amounts[amount] : Number(amount || Number.NaN);
  if (number === undefined || Number.isNaN(number)) return /\blimit$/.test(words) ? words : `${words} limit`;
  return `${lengthName(number * inMinutes[unit]!)} limit${rest === undefined ? "" : ` (${rest})`}`;
}

function lengthName(minutes: number): string {
  if (minutes === inMinutes["week"]) return "weekly";
  if (minutes % inMinutes["day"]! === 0) return `${minutes / inMinutes["day"]!}-day`;
  return minutes % 60 === 0 ? `${minutes / 60}-hour` : `${minutes}-minute`;
}

export function limitWords({ window, status, usedPercent, resetsAt }: Omit<model.LimitItem, "kind">): string {
  const used = usedPercent === undefined ? undefined : `${Math.round(usedPercent)} % used`;
  const until = resetsAt === undefined ? undefined : `resets at ${oneLine(resetsAt)}`;
  return `${limitName(window)}: ${dotted(status, used, until)}`;
}

export function compactedWords({ before, after }: Pick<model.CompactedItem, "before" | "after">): string {
  const sizes = before === undefined || after === undefined ? "" : ` from ${before} to ${after} tokens`;
  return `the conversation was shortened${sizes} to fit the model's context`;
}

export function switchedWords({ from, to, reason }: Omit<model.SwitchedItem, "kind">): string {
  return `${oneLine(from)} handed over to ${oneLine(to)}: ${oneLine(reason)}`;
}

export function changedWords({ model, mode, reset, by, reason }: Omit<model.ChangedItem, "kind">): string {
  const what = dotted(
    model === undefined ? undefined : `model ${oneLine(model)}`,
    mode === undefined ? undefined : `mode ${mode}`,
    reset === true ? "the conversation was reset" : undefined,
  );
  return `${what} (by ${by}${reason === undefined ? "" : `: ${oneLine(reason)}`})`;
}

export function exitWords({ code, signal }: Omit<model.ExitItem, "kind">): string {
  return `the agent's process ended (${signal === null ? `code ${code ?? "unknown"}` : `signal ${oneLine(signal)}`})`;
}

const outcomes = {
  done: "done in",
  cancelled: "cancelled after",
  refused: "refused after",
  max_tokens: "out of tokens after",
  max_turns: "out of turns after",
  budget: "out of budget after",
  interrupted: "interrupted after",
  failed: "failed after",
} as const;

export function endWords(end: model.TurnEnd, costUsd?: number): string {
  const { filesChanged, filesChangedIncomplete, background = [] } = end;
  const files = filesChanged.length === 0 ? undefined : `${count(filesChanged.length, "file")} changed`;
  const perhaps = files === undefined ? "files may have changed" : `${files}, maybe more`;
  const summary = dotted(
    `${outcomes[end.outcome]} ${duration(end.durationMs)}`,
    end.toolCalls === 0 ? undefined : count(end.toolCalls, "tool call"),
    filesChangedIncomplete === true ? perhaps : files,
    background.length === 0 ? undefined : `${count(background.length, "task")} still running`,
    costUsd === undefined ? undefined : `${end.costSource === "prices" ? "about " : ""}$${costUsd.toFixed(4)}`,
  );
  return end.error === undefined ? summary : `${summary}: ${oneLine(end.error.message)}`;
}

export function duration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)} s`;
  return `${Math.floor(ms / 60_000)} min ${Math.floor((ms % 60_000) / 1000)} s`;
}

export function count(amount: number, word: string): string {
  return `${amount} ${word}${amount === 1 ? "" : "s"}`;
}

/** Joins the defined parts with dots. */
export function dotted(...parts: readonly (string | undefined)[]): string {
  return parts.filter((part) => part !== undefined && part !== "").join(" · ");
}
