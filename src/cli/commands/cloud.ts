import type { Command } from "commander";
import { chooseCloud, type ChosenCloud, type CloudAgent } from "../../commands/cloud.ts";
import type { Reins, Session, SessionDetails } from "../../core/api.ts";
import type { ErrorInfo } from "../../events/errors.ts";
import { oneLine } from "../../events/printable.ts";
import type { EventOf, ReinsEvent } from "../../events/types.ts";
import { cloudBadge } from "../../view/cloud.ts";
import { agreed } from "../ask/terminal.ts";
import {
  addCommand,
  addGroup,
  collect,
  modeOption,
  numberOption,
  texts,
  type CommandContext,
  type SharedOptions,
} from "../command.ts";
import { type Exit, exitOfTurn } from "../exit-codes.ts";
import { reportError } from "../failure.ts";
import { commandName } from "../installation.ts";
import { attachments, readPrompt } from "../prompt.ts";
import { EventView } from "../render/progress.ts";
import { Screen } from "../render/screen.ts";
import { ago, fitted, table } from "../render/table.ts";
import { untilEnding } from "../signals.ts";
import { print, show, withReins, withStatus } from "../with-status.ts";
import { chosenTarget, registerTarget, rememberedTarget, type TargetOptions } from "./cloud-target.ts";

interface ListOptions extends SharedOptions {
  readonly cursor?: string;
  readonly archived?: boolean;
}

interface RunOptions extends TargetOptions {
  readonly pullRequest?: string;
  readonly name?: string;
  readonly image?: readonly string[];
  readonly file?: readonly string[];
  readonly allowUnenforced?: boolean;
  readonly detach?: boolean;
}

const which = "its id in `reins cloud list`, or its session in `reins sessions`";
const pageSize = numberOption(
  (value) => Number.isInteger(value) && value >= 1 && value <= 100,
  "a whole number, 1 to 100",
);

/** Agents that run on another machine and continue when nobody is connected. */
export function register(program: Command, { ending, finish }: CommandContext): void {
  const group = addGroup(program, "cloud", "Agents that work in the cloud and keep running when this machine sleeps.");
  const agent = ["-a, --agent <id>", "the agent, if several work in the cloud"] as const;
  const add = (name: string, description: string, options = {}): Command =>
    addCommand(group, name, description, options).option(...agent);

  add("list", "List cloud agents, newest first.", { isDefault: true })
    .option("-n, --limit <n>", "maximum number (default: 20)", pageSize)
    .option("--cursor <cursor>", "continue after the last page")
    .option("--archived", "include archived agents")
    .option("--json", texts.json)
    .action((options: ListOptions) => list(options, ending));
  add("run", "Start a cloud agent and follow it. After Ctrl-C it keeps running.")
    .argument("[prompt...]", "the prompt; without one, or with `-`, it is read from stdin")
    .option("--repo <address>", "the repository (default: that of `reins cloud target`, or the folder's remote)")
    .option("--ref <ref>", "the branch or commit to start from")
    .option("--branch <name>", "the branch to push to; may be the same as --ref")
    .option("--pull-request <address>", "work on this pull request")
    .option("--pr", "open a pull request when done")
    .option("--no-pr", "do not open a pull request")
    .option("--name <name>", "name of the agent at the service")
    .option("-m, --model <name>", "the model, by a name of `reins models`")
    .addOption(modeOption("how much it may do (default: full)"))
    .option("--cwd <folder>", "for this folder instead of the current one")
    .option("--image <path>", "attach an image; may be repeated", collect)
    .option("--file <path>", "attach a file; may be repeated", collect)
    .option("--allow-unenforced", "start even if it cannot enforce every deny rule")
    .option("--detach", "do not follow it after the start")
    .option("--json", texts.events)
    .action(async (words: string[], options: RunOptions) => finish(await run(words, options, ending)));
  registerTarget(add, ending);
  add("follow", "Follow a running agent. After Ctrl-C it keeps running.")
    .argument("<agent>", which)
    .option("--json", texts.events)
    .action(async (name: string, options: SharedOptions) => finish(await follow(name, options, ending)));
  add("logs", "Show the conversation so far, as reported by the service.")
    .argument("<agent>", which)
    .option("--json", texts.events)
    .action(async (name: string, options: SharedOptions) => {
      using view = new EventView(options.json === true);
      await withReins(async (reins) => {
        view.screen.status("Asking");
        const one = await untilEnding(ending, chooseCloud(reins, options.agent));
        const { id } = await find(reins, one, name);
        for (const event of await untilEnding(ending, one.cloud.conversation(id))) await view.show(event);
      });
    });
  add("stop", "Stop the current run. The agent is kept and takes further prompts.")
    .argument("<agent...>", which)
    .action(async (names: string[], options: SharedOptions) => {
      const screen = new Screen();
      await withStatus("Stopping", ending, async (reins) => {
        const one = await chooseCloud(reins, options.agent);
        for (const name of names) {
          const { id } = await find(reins, one, name);
          screen.line((await one.cloud.stop(id)) ? `Stopped ${id}.` : `${id} is not running.`);
        }
      });
    });
  add("delete", "Delete an agent and its conversation permanently. Its branches are kept.")
    .argument("<agent...>", which)
    .option("--yes", "do not ask for confirmation")
    .action(async (names: string[], options: DeleteOptions) => finish(await remove(names, options, ending)));
  add("repos", "List the repositories that the service may work on, at most once a minute.")
    .option("--json", texts.json)
    .action((options: SharedOptions) =>
      show(
        "Asking",
        { ending, json: options.json },
        async (reins) => (await chooseCloud(reins, options.agent)).cloud.repositories(),
        (addresses) => addresses.map((address) => `${oneLine(address)}\n`).join("") || "None.\n",
      ),
    );
}

interface DeleteOptions extends SharedOptions {
  readonly yes?: boolean;
}

async function remove(names: readonly string[], options: DeleteOptions, ending: AbortSignal): Promise<Exit> {
  const screen = new Screen();
  const question = `Delete ${names.join(", ")} with ${names.length > 1 ? "their conversations" : "its conversation"}? [y/N] `;
  if (options.yes !== true && !(await agreed(screen, question, ending))) return "denied";
  await withStatus("Deleting", ending, async (reins) => {
    const one = await chooseCloud(reins, options.agent);
    for (const name of names) {
      const { id } = await find(reins, one, name);
      await one.cloud.remove(id);
      screen.line(`Deleted ${id}.`);
    }
  });
  return "done";
}

async function list(options: ListOptions, ending: AbortSignal): Promise<void> {
  const { limit = 20, cursor, archived, json = false } = options;
  const page = await withStatus("Asking", ending, async (reins) => {
    const { cloud } = await chooseCloud(reins, options.agent);
    return cloud.list({ limit, cursor, archived });
  });
  await print(page.agents, options, listing);
  if (page.cursor !== undefined && !json)
    new Screen().line(`There are more: ${commandName()} cloud list --cursor ${page.cursor}`, "dim");
}

function listing(agents: readonly CloudAgent[]): string {
  if (agents.length === 0) return `No cloud agents yet. Start one: ${commandName()} cloud run "..."\n`;
  const rows = agents.map(({ id, status, updatedAt, createdAt, name }) => {
    const used = updatedAt ?? createdAt;
    return [id, cloudBadge(status).label, used && ago(used), name];
  });
  return fitted(table(["id", "status", "used", "name"], rows));
}

async function run(words: readonly string[], options: RunOptions, ending: AbortSignal): Promise<Exit> {
  using view = new EventView(options.json === true);
  const say = (line: string): void => view.screen.line(line);
  const text = await untilEnding(ending, readPrompt(words, { stdin: process.stdin, say }));
  return await begin(text, options, { view, ending, targetOf: rememberedTarget });
}

/** Runs `reins run "& prompt"`. The target is asked for once per folder. */
export async function runInCloud(text: string, options: RunOptions, ending: AbortSignal): Promise<Exit> {
  using view = new EventView(options.json === true);
  return await begin(text, options, { view, ending, targetOf: chosenTarget });
}

interface Beginning {
  readonly view: EventView;
  readonly ending: AbortSignal;
  readonly targetOf: typeof rememberedTarget;
}

async function begin(text: string, options: RunOptions, { view, ending, targetOf }: Beginning): Promise<Exit> {
  const prompt = { text, attachments: attachments(options) };
  return withReins(async (reins) => {
    const { agent, cloud } = await untilEnding(ending, chooseCloud(reins, options.agent));
    const target = await untilEnding(ending, targetOf(reins, options, { agent, screen: view.screen, ending }));
    view.screen.status("Starting");
    const { model, mode = "full", cwd, allowUnenforced, pullRequest, name } = options;
    const remote = { ...target, pullRequest, name };
    const wanted = { agent, model, mode, cwd, allowUnenforced, remote };
    const session = await untilEnding(ending, reins.session(wanted));
    const refused = new AbortController();
    session.prompt(prompt).result.catch((thrown: unknown) => refused.abort(thrown));
    const leaves = AbortSignal.any([ending, refused.signal]);
    // The run exists as soon as its state is known.
    const hasBegun = ({ type }: ReinsEvent): boolean => options.detach === true && type === "session.updated";
    const end = await followed(session, view, leaves, hasBegun);
    refused.signal.throwIfAborted();
    await tellError(view, end?.error);
    if (end !== undefined) return exitOfTurn(end);
    if (session.state !== undefined) view.screen.line(leftWords(await cloud.idOf(session.state)), "dim");
    return "done";
  });
}

async function follow(name: string, options: SharedOptions, ending: AbortSignal): Promise<Exit> {
  using view = new EventView(options.json === true);
  return await withReins(async (reins) => {
    view.screen.status("Asking");
    const { id, session, working } = await untilEnding(ending, attached(reins, name, options.agent));
    if (!working) {
      view.screen.line(`${id} is not running. Its conversation: ${commandName()} cloud logs ${id}`);
      return "done";
    }
    const end = await followed(session, view, ending);
    await tellError(view, end?.error);
    if (end === undefined) view.screen.line(leftWords(id), "dim");
    return end === undefined ? "done" : exitOfTurn(end);
  });
}

/** Tells a user who leaves a run how to come back to it. */
function leftWords(id: string): string {
  const command = `${commandName()} cloud`;
  return `It keeps running. Follow it: ${command} follow ${id} · stop it: ${command} stop ${id}`;
}

async function attached(reins: Reins, name: string, named: string | undefined) {
  const { agent, cloud } = await chooseCloud(reins, named);
  const { id, kept } = await find(reins, { agent, cloud }, name);
  const there = await cloud.get(id);
  const resume = kept?.id ?? there.state;
  const session = await reins.session({ agent, resume, mode: kept?.mode ?? "full" });
  // The session has something to follow only while a run is active, which may have ended since the lookup.
  return { id, session, working: session.state !== there.state };
}

/** Shows a turn until it ends; undefined when the user leaves before. */
async function followed(
  session: Session,
  view: EventView,
  ending: AbortSignal,
  until: (event: ReinsEvent) => boolean = () => false,
): Promise<EventOf<"turn.completed"> | undefined> {
  for await (const event of session.events({ after: session.resumedAt, signal: ending })) {
    await view.show(event);
    if (event.type === "turn.completed") return event;
    if (until(event)) return undefined;
  }
  return undefined;
}

/** For a user, only the help is missing: the end of the turn has shown the error. With JSON, stderr gets both. */
async function tellError({ screen, json }: EventView, error: ErrorInfo | undefined): Promise<void> {
  if (error === undefined) return;
  if (json) await reportError(error);
  else if (error.help !== undefined) screen.line(error.help);
}

/** Finds a run by its cloud id or by its session in this store (`kept`). */
async function find(
  reins: Reins,
  { agent, cloud }: ChosenCloud,
  name: string,
): Promise<{ readonly id: string; readonly kept: SessionDetails | undefined }> {
  const found = await reins.sessions.get(name).catch(() => undefined);
  const kept = found?.agent === agent && found.state !== undefined ? found : undefined;
  return { kept, id: kept?.state === undefined ? name : await cloud.idOf(kept.state) };
}
