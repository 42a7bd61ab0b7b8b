/** Plain mode: append only, no cursor movement, no colours, numbered choices. For pipes, dumb terminals and screen readers. */
import { createInterface } from "node:readline/promises";
import { chooseCloud, cloudSession, noRepository, requireReady } from "../../commands/cloud.ts";
import { loginResult, logoutResult, runSlash, type SlashContext, type SlashEffect } from "../../commands/run.ts";
import type { Prompt, Reins, Session } from "../../core/api.ts";
import { ReinsError, toReinsError } from "../../events/errors.ts";
import type { Mode } from "../../events/modes.ts";
import { oneLine, printable, stripAnsi } from "../../events/printable.ts";
import type { ReinsEvent } from "../../events/types.ts";
import { targetWords } from "../../view/cloud.ts";
import { createConversation } from "../../view/conversation.ts";
import { exportSession } from "../../view/export.ts";
import { firstStepLines } from "../../view/first-steps.ts";
import { endWords } from "../../view/labels.ts";
import { eventLine } from "../../view/lines.ts";
import { modeName } from "../../view/mode-names.ts";
import { loginBoxes } from "../../view/slash/boxes.ts";
import { parseSlash, type SlashCommand } from "../../view/slash/commands.ts";
import type { FirstSession, TuiHost } from "../app/host.ts";
import { mentionedImages, readPrompt } from "../editor/index.ts";
import { compareAgents } from "./compare.ts";
import { askAboutQueue, LineInput } from "./line-input.ts";
import {
  changeLines,
  cloudLines,
  comparisonLines,
  modeLines,
  modelLines,
  plainBox,
  plainLine,
  sessionLines,
} from "./lists.ts";
import { askPermission, askQuestion, resolvedWords, type Asking } from "./requests.ts";

export interface PlainOptions extends Pick<
  TuiHost,
  "cwd" | "first" | "platform" | "runShell" | "saveFile" | "fileExists"
> {
  readonly reins: Reins;
  readonly ending: AbortSignal;
  /** Calls `handle` on Ctrl+C; Reins ends only if it returns false. Returns a function that undoes this. */
  readonly handleInterrupts?: ((handle: () => boolean) => () => void) | undefined;
  readonly stdin: NodeJS.ReadableStream;
  readonly stdout: NodeJS.WritableStream;
  /** Runs a program in this terminal. Undefined without a terminal, as with a pipe. */
  readonly runProgram?: TuiHost["runProgram"] | undefined;
  /** Turns the echo of the terminal off or on. Undefined where there is no terminal. */
  readonly setEcho?: ((on: boolean) => void) | undefined;
}

/** Reads prompts line by line until the input ends or `/quit`. */
export async function runPlain(options: PlainOptions): Promise<void> {
  const { stdin, stdout, ending } = options;
  const lines = createInterface({ input: stdin, terminal: false });
  const say = (text: string): void => void stdout.write(`${text}\n`);
  const input = new LineInput(lines, ending, (line) => say(`Queued: ${oneLine(line)}`));
  const { runProgram } = options;
  /** Pauses our own reading while the program uses the terminal. */
  const alone: TuiHost["runProgram"] | undefined =
    runProgram &&
    (async (argv, env) => {
      lines.pause();
      try {
        return await runProgram(argv, env);
      } finally {
        lines.resume();
      }
    });
  const conversation = new PlainConversation({ ...options, runProgram: alone }, { say, input, reins: options.reins });
  const restore = options.handleInterrupts?.(() => conversation.stop());
  try {
    say("Reins. Type a prompt and press Enter; Ctrl+C stops a turn, /quit ends.");
    for (const line of firstStepLines("command")) say(line);
    for (;;) {
      stdout.write("> ");
      const text = await input.next();
      if (text === undefined) break;
      if (text.trim() === "") continue;
      input.busy = true;
      const goesOn = await conversation.take(text);
      input.busy = false;
      if (!goesOn) break;
      if (conversation.wasStopped && input.queued.length > 0) await askAboutQueue(input, say);
    }
  } finally {
    restore?.();
    lines.close();
    await conversation.close();
  }
}

class PlainConversation {
  readonly #options: PlainOptions;
  readonly #asking: Asking;
  readonly #say: (text: string) => void;
  #session: Session | undefined;
  /** Cloud agents that were started in the background. */
  readonly #elsewhere: Session[] = [];
  #shown = createConversation();
  /** Stops the running turn or command of the person. */
  #running: AbortController | undefined;
  /** The last thing that was taken was stopped by the person. */
  wasStopped = false;
  /** Variables that the person typed, by agent. They are in no other environment, and not stored. */
  readonly #variables = new Map<string, Readonly<Record<string, string>>>();
  #choice: FirstSession;

  constructor(options: PlainOptions, asking: Asking) {
    this.#options = options;
    this.#asking = asking;
    this.#say = asking.say;
    this.#choice = options.first;
  }

  /** Returns false when nothing runs, or when it was already asked to stop. */
  stop(): boolean {
    if (this.#running === undefined || this.#running.signal.aborted) return false;
    this.#running.abort();
    this.#asking.input.interrupt();
    return true;
  }

  /** Returns false to quit. */
  async take(text: string): Promise<boolean> {
    this.#running = new AbortController();
    try {
      const read = readPrompt(text);
      if (read.kind === "shell") await this.#shell(read.text);
      else if (read.kind === "cloud") await this.#cloud(read.text);
      else if (read.kind === "prompt") await this.#prompt(read.text);
      else return await this.#slash(text);
    } catch (thrown) {
      const { message, help } = toReinsError(thrown);
      const words = oneLine(`Error: ${message} ${help ?? ""}`).trimEnd();
      this.#say(this.#running.signal.aborted ? "Stopped." : words);
    } finally {
      this.wasStopped = this.#running.signal.aborted;
      this.#running = undefined;
    }
    return true;
  }

  #stopping(): AbortSignal {
    const { ending } = this.#options;
    return this.#running === undefined ? ending : AbortSignal.any([ending, this.#running.signal]);
  }

  async close(): Promise<void> {
    for (const session of [this.#session, ...this.#elsewhere]) await session?.close();
  }

  async #slash(text: string): Promise<boolean> {
    const own = this.#shown.conversation.commands;
    const slash = parseSlash(text, { where: "terminal", own });
    if (slash === undefined) await this.#prompt(text);
    else if (slash.kind === "agent") await this.#prompt(slash.text);
    else if (slash.kind === "command") return this.#command(slash.command, slash.args);
    else {
      const near = slash.suggestion === undefined ? "/help lists the commands." : `Did you mean /${slash.suggestion}?`;
      this.#say(`There is no command /${oneLine(slash.unknown)}. ${near}`);
    }
    return true;
  }

  async #command(command: SlashCommand, args: string): Promise<boolean> {
    const { reins, cwd, platform } = this.#options;
    const agent = this.#session?.agent ?? this.#choice.agent ?? (await reins.agents()).find(({ ready }) => ready)?.id;
    const { model, mode } = this.#choice;
    const context: SlashContext = {
      ...{ reins, cwd, platform, model, mode, agent: agent ?? "", sessionId: this.#session?.id, where: "terminal" },
      own: this.#shown.conversation.commands,
    };
    const { boxes, effect } = await runSlash(command, args, context);
    for (const box of boxes) this.#say(plainBox(box));
    if (effect?.kind === "quit") return false;
    if (effect !== undefined) await this.#carryOut(effect, context);
    return true;
  }

  async #carryOut(effect: Exclude<SlashEffect, { readonly kind: "quit" }>, context: SlashContext): Promise<void> {
    const { reins } = this.#options;
    const print = (lines: readonly string[]): void => lines.forEach((line) => this.#say(line));
    switch (effect.kind) {
      case "clear":
        await this.#leave();
        return this.#say("A new session begins with your next prompt.");
      case "switch_model":
        await this.#session?.configure({ model: effect.model });
        this.#choice = { ...this.#choice, model: effect.model };
        return;
      case "switch_mode":
        return this.#switchMode(effect.mode);
      case "switch_agent":
      case "handoff": {
        const to = effect.kind === "handoff" ? effect.to : effect.agent;
        if (this.#session === undefined) this.#choice = { ...this.#choice, agent: to, model: undefined };
        else await this.#session.handoff({ to });
        return this.#say(`The agent is ${oneLine(to)}.`);
      }
      case "pick":
        if (effect.what === "model") return this.#say(await modelLines(reins, context.agent, context.model));
        if (effect.what === "mode") return print(await modeLines(reins, context.agent));
        return this.#say("Type /agent and an id to switch.");
      case "panel":
        if (effect.panel === "sessions") return print(await sessionLines(reins, effect.query));
        if (effect.panel === "cloud") return print(await cloudLines(reins));
        if (effect.panel === "comparisons") return print(await comparisonLines(reins));
        if (effect.panel === "diff") return print(changeLines(this.#shown.conversation));
        return this.#say("Settings are in the configuration: `reins config` shows them.");
      case "cloud_prompt":
        return this.#cloud(effect.prompt);
      case "resume":
        return this.#resume(effect.session);
      case "fork":
        return this.#resume((await reins.sessions.fork(effect.session)).id);
      case "export": {
        const { sessionId = "" } = context;
        let text = "";
        for await (const piece of exportSession(oneByOne(reins.sessions.events(sessionId)), { format: effect.format }))
          text += piece;
        const path = await this.#options.saveFile(effect.file ?? `${sessionId}.${effect.format}`, text);
        return this.#say(`Exported to ${oneLine(path)}`);
      }
      case "login":
      case "logout":
        return this.#runCommand(effect, context);
      case "ask_token":
        return this.#askToken(effect.variable, context);
      case "compare": {
        const { cwd } = this.#options;
        const { mode } = this.#choice;
        const signal = this.#stopping();
        return compareAgents({ reins, cwd, mode, asking: this.#asking, signal }, effect.prompt);
      }
      default:
        return this.#say("This needs a screen: start `reins` in a terminal without --plain.");
    }
  }

  async #runCommand(
    effect: Extract<SlashEffect, { readonly kind: "login" | "logout" }>,
    context: SlashContext,
  ): Promise<void> {
    const { command, args, env } = effect.command;
    const { runProgram } = this.#options;
    if (runProgram === undefined) return this.#say(`Run this in a terminal: ${[command, ...args].join(" ")}`);
    const code = await runProgram([command, ...args], env);
    if (effect.kind === "login" && effect.server !== undefined) return this.#say("The login has ended.");
    this.#say(plainBox(await (effect.kind === "login" ? loginResult : logoutResult)(context, code)));
  }

  /** Reads a token without echo. Only the sessions of this agent are given it. */
  async #askToken(variable: string, { agent, reins }: SlashContext): Promise<void> {
    const { setEcho } = this.#options;
    if (setEcho === undefined)
      return this.#say(`A token would be visible here. Set ${oneLine(variable)} before you start Reins.`);
    this.#say(`Type the value of ${oneLine(variable)} and press Enter. It is not shown.`);
    setEcho(false);
    const typed = await this.#asking.input.newLine().finally(() => setEcho(true));
    const value = typed?.trim() ?? "";
    if (value === "") return this.#say("Nothing was entered.");
    this.#variables.set(agent, { ...this.#variables.get(agent), [variable]: value });
    const session = this.#session;
    if (session === undefined) this.#choice = { ...this.#choice, agent: this.#choice.agent ?? agent };
    else if (session.agent === agent) {
      // The next prompt resumes it with the variable.
      await session.close();
      this.#session = undefined;
      this.#choice = { ...this.#choice, resume: session.id };
    }
    this.#say(plainBox(loginBoxes.tokenTaken((await reins.agent(agent)).name, variable)));
  }

  /** The variables that the person typed for the agent of the next session. */
  async #typedVariables(agent: string | undefined): Promise<Readonly<Record<string, string>> | undefined> {
    if (this.#variables.size === 0) return undefined;
    const { resume } = this.#choice;
    const resumed = resume === undefined ? undefined : await this.#options.reins.sessions.get(resume);
    const used = resumed?.agent ?? agent;
    return used === undefined ? undefined : this.#variables.get(used);
  }

  async #switchMode(mode: Mode): Promise<void> {
    await this.#session?.configure({ mode });
    this.#choice = { ...this.#choice, mode };
  }

  async #leave(): Promise<void> {
    await this.#session?.close();
    this.#session = undefined;
    this.#shown = createConversation();
    this.#choice = { ...this.#choice, resume: undefined };
  }

  /** Opens a stored session: prints its turns in short, and the next prompt continues it. */
  async #resume(name: string): Promise<void> {
    const { id, title, agent, turns } = await this.#options.reins.sessions.get(name);
    await this.#leave();
    this.#choice = { ...this.#choice, resume: id, agent: undefined, model: undefined };
    this.#say(
      oneLine(
        `Session ${id}: ${title ?? "no title"} (${agent ?? "no agent"}, ${turns} turns). Your next prompt continues it.`,
      ),
    );
  }

  async #shell(command: string): Promise<void> {
    const { cwd, runShell } = this.#options;
    const { output, exitCode, stopped } = await runShell(command, cwd, this.#stopping());
    const text = printable(stripAnsi(output)).trimEnd();
    if (text !== "") this.#say(text);
    this.#say(stopped === true ? "Stopped." : `Exit code ${exitCode}.`);
  }

  /** `& prompt`: starts a cloud agent on the repository of the folder, in the background. */
  async #cloud(text: string): Promise<void> {
    const { reins, cwd } = this.#options;
    const { agent } = await chooseCloud(reins);
    await requireReady(reins, agent);
    const { remembered, suggested } = await reins.cloudTarget({ cwd });
    const target = remembered ?? suggested;
    if (target.repository === undefined) throw new ReinsError("invalid_input", noRepository);
    const session = await reins.session({ ...cloudSession(agent, target), cwd });
    this.#elsewhere.push(session);
    session
      .prompt(text)
      .result.catch((thrown: unknown) => this.#say(`Error: ${oneLine(toReinsError(thrown).message)}`));
    this.#say(`Sent to the cloud: ${oneLine(targetWords(target))}. /cloud lists it.`);
  }

  async #connect(): Promise<Session> {
    if (this.#session !== undefined) return this.#session;
    const { reins, cwd } = this.#options;
    const { model, mode, resume, fallback } = this.#choice;
    const agent = resume === undefined ? (this.#choice.agent ?? (await onlyBuiltIn(reins))) : undefined;
    const folder = resume === undefined ? { cwd } : {};
    const env = await this.#typedVariables(agent);
    const session = await reins.session({ agent, model, mode, resume, fallback, env, ...folder, attended: true });
    session.setPresence?.(true);
    this.#session = session;
    const { name, capabilities } = await reins.agent(session.agent);
    const used = modeName(session.mode ?? mode ?? "ask", capabilities);
    this.#say(
      `Agent: ${oneLine(name)}. Mode: ${oneLine(used)}.${model === undefined ? "" : ` Model: ${oneLine(model)}.`}`,
    );
    return session;
  }

  async #prompt(text: string): Promise<void> {
    const session = await this.#connect();
    const images = mentionedImages(text, this.#options.fileExists);
    const attachments = images.map((path) => ({ kind: "image" as const, path }));
    const prompt: Prompt = images.length === 0 ? text : { text, attachments };
    const turn = session.prompt(prompt, { signal: this.#stopping() });
    for await (const event of turn) await this.#show(session, event);
    const { error: _said, ...result } = await turn.result;
    this.#say(`Turn finished: ${endWords({ ...result, error: undefined }, result.costUsd)}`);
  }

  async #ask(asks: () => Promise<void>): Promise<void> {
    try {
      await asks();
    } catch (thrown) {
      // The request has ended with the turn that was stopped.
      if (this.#running?.signal.aborted !== true) throw thrown;
    }
  }

  async #show(session: Session, event: ReinsEvent): Promise<void> {
    this.#shown.apply(event);
    if (event.type === "message.completed") return this.#say(printable(event.text).trim());
    if (event.type === "permission.requested") return this.#ask(() => askPermission(this.#asking, session, event));
    if (event.type === "question.requested") return this.#ask(() => askQuestion(this.#asking, session, event));
    if (event.type === "turn.completed")
      return event.error === undefined ? undefined : this.#say(`Error: ${oneLine(event.error.message)}`);
    if (event.type === "permission.resolved" || event.type === "question.resolved")
      return this.#say(resolvedWords(event));
    if (event.type === "message.delta" || event.type === "thought.delta" || event.type === "turn.phase") return;
    const line = eventLine(event);
    if (line !== undefined && line !== "") this.#say(plainLine(line));
  }
}

/** The built-in agent, if no other agent is ready. */
async function onlyBuiltIn(reins: Reins): Promise<string | undefined> {
  const ready = (await reins.agents()).filter((agent) => agent.ready);
  return ready.every(({ builtIn }) => builtIn === true) ? ready[0]?.id : undefined;
}

async function* oneByOne(events: AsyncIterable<ReinsEvent>): AsyncGenerator<readonly ReinsEvent[]> {
  for await (const event of events) yield [event];
}
