/** `/compare` in plain mode: which agents, their requests one after the other, the results, and whose changes are taken. */
import { comparedEntries } from "../../commands/compared-entries.ts";
import type { Comparison, Reins, Session } from "../../core/api.ts";
import { ReinsError } from "../../events/errors.ts";
import type { Mode } from "../../events/modes.ts";
import { oneLine } from "../../events/printable.ts";
import { count, endWords } from "../../view/labels.ts";
import { askPermission, askQuestion, type Asking } from "./requests.ts";

export interface PlainComparison {
  readonly reins: Reins;
  readonly cwd: string;
  readonly mode: Mode | undefined;
  readonly asking: Asking;
  /** Stops the agents. */
  readonly signal: AbortSignal;
}

type Entry = Comparison["entries"][number];

export async function compareAgents(context: PlainComparison, prompt: string): Promise<void> {
  const { reins, cwd, mode, signal } = context;
  const { say } = context.asking;
  const entries = await chosenEntries(context);
  if (entries === undefined) return say("Nothing was started.");
  const made = await reins.comparisons.create({ cwd, prompt, mode, entries });
  say(`Started in a git worktree each: ${made.entries.map(nameOf).join(", ")}.`);
  const oneAtATime = queueOfOne();
  await Promise.all(made.entries.map((entry) => follow(context, made, entry, oneAtATime)));
  await showResults(context, made.id);
  if (!signal.aborted) await takeChanges(context, made);
}

/** Undefined: the person gave none. */
async function chosenEntries({ reins, asking: { say, input } }: PlainComparison) {
  const ready = (await reins.agents()).filter(
    (agent) => agent.ready && agent.family !== true && !agent.capabilities.elsewhere,
  );
  if (ready.length === 0) throw new ReinsError("not_installed", "No agent is ready: /agent shows what each one needs.");
  say("Which agents?");
  for (const [at, { name, id }] of ready.entries()) say(`${at + 1}. ${oneLine(name)} (${id})`);
  for (;;) {
    say("Type numbers or ids separated by commas, with a model as in 1:model or id:model, and press Enter.");
    const typed = await input.newLine();
    if (typed === undefined || typed.trim() === "") return undefined;
    const found = comparedEntries(typed, ready);
    if (!("problem" in found)) return found.entries;
    say(found.problem);
  }
}

const nameOf = ({ agent, model }: Pick<Entry, "agent" | "model">): string =>
  oneLine(model === undefined ? agent : `${agent} (${model})`);

/** Until the turn of the entry is over. Only one of several agents asks at a time. */
async function follow(
  { reins, asking, signal }: PlainComparison,
  { id }: Comparison,
  entry: Entry,
  oneAtATime: (work: () => Promise<void>) => Promise<void>,
): Promise<void> {
  const say = (text: string): void => asking.say(`${nameOf(entry)}: ${text}`);
  const session: Session = await reins.comparisons.session(id, entry.number);
  session.setPresence?.(true);
  const stop = (): void => void session.cancel().catch(() => undefined);
  signal.addEventListener("abort", stop, { once: true });
  const ask = (asks: (asking: Asking) => Promise<void>): Promise<void> =>
    oneAtATime(async () => {
      try {
        if (!signal.aborted) await asks({ ...asking, say });
      } catch (thrown) {
        // The request has ended with the turn that was stopped.
        if (!signal.aborted) throw thrown;
      }
    });
  try {
    for await (const event of session.events({ after: 0 })) {
      if (event.type === "permission.requested") await ask((to) => askPermission(to, session, event));
      else if (event.type === "question.requested") await ask((to) => askQuestion(to, session, event));
      else if (event.type === "turn.completed" && event.next === undefined) {
        const { error, ...end } = event;
        say(`Turn finished: ${endWords({ ...end, error: undefined }, event.costUsd)}`);
        if (error !== undefined) say(`Error: ${oneLine(error.message)}`);
        return;
      }
    }
  } finally {
    signal.removeEventListener("abort", stop);
  }
}

async function showResults({ reins, asking: { say } }: PlainComparison, id: string): Promise<void> {
  const { entries } = await reins.comparisons.get(id);
  for (const entry of entries) {
    const sum = (of: "added" | "removed"): number => entry.files.reduce((total, file) => total + (file[of] ?? 0), 0);
    const changes =
      entry.files.length === 0
        ? "no changes"
        : `${count(entry.files.length, "file")} changed, ${count(sum("added"), "line")} added, ${sum("removed")} removed`;
    say(`${entry.number}. ${nameOf(entry)}: ${entry.state}, ${changes}`);
    for (const { path, change } of entry.files) say(`   ${change} ${oneLine(path)}`);
  }
}

async function takeChanges({ reins, asking: { say, input } }: PlainComparison, made: Comparison): Promise<void> {
  say("Type the number whose changes are put into the folder, or press Enter for none.");
  const typed = (await input.newLine()) ?? "";
  const entry = made.entries.find(({ number }) => String(number) === typed.trim());
  if (entry === undefined) return say(`Nothing was taken. The comparison ${made.id} stays: /compare lists it.`);
  const { files } = await reins.comparisons.keep(made.id, entry.number, "apply");
  say(`${count(files.length, "file")} of ${nameOf(entry)} put into the folder.`);
}

function queueOfOne(): (work: () => Promise<void>) => Promise<void> {
  let last = Promise.resolve();
  return (work) => {
    const now = last.then(work);
    last = now.catch(() => undefined);
    return now;
  };
}
