/** Plain mode: append only, no cursor movement, no colours, numbered choices. For pipes, dumb terminals and screen readers. */
import { createInterface, type Interface } from "node:readline/promises";
import type { Reins, Session } from "../core/api.ts";
import { runSlash } from "../commands/run.ts";
import { toReinsError } from "../events/errors.ts";
import { oneLine, printable } from "../events/printable.ts";
import type { EventOf, ReinsEvent } from "../events/types.ts";
import { answersTo, editableInput, type Answer } from "../view/answer-keys.ts";
import { endWords } from "../view/labels.ts";
import { eventLine } from "../view/lines.ts";
import { boxText } from "../view/slash/box.ts";
import { parseSlash, type SlashCommand } from "../view/slash/commands.ts";
import type { FirstSession, TuiHost } from "./app/host.ts";

export interface PlainOptions {
  readonly reins: Reins;
  readonly cwd: string;
  readonly first: FirstSession;
  readonly ending: AbortSignal;
  readonly stdin: NodeJS.ReadableStream;
  readonly stdout: NodeJS.WritableStream;
  readonly platform: TuiHost["platform"];
}

/** Reads prompts line by line until the input ends or `/quit`. */
export async function runPlain(options: PlainOptions): Promise<void> {
  const { stdin, stdout, ending } = options;
  const lines = createInterface({ input: stdin, terminal: false });
  const input = new LineInput(lines, ending);
  const say = (text: string): void => void stdout.write(`${text}\n`);
  const conversation = new PlainConversation(options, say, input);
  try {
    say("Reins. Type a prompt and press Enter; /help lists the commands, /quit ends.");
    for (;;) {
      stdout.write("> ");
      const text = await input.next();
      if (text === undefined) break;
      if (text.trim() === "") continue;
      if (!(await conversation.take(text))) break;
    }
  } finally {
    lines.close();
    await conversation.close();
  }
}

/** Lines that come before somebody asks for them wait. */
class LineInput {
  readonly #waiting: string[] = [];
  #wanted: ((line: string | undefined) => void) | undefined;
  #ended = false;

  constructor(lines: Interface, ending: AbortSignal) {
    lines.on("line", (line) => this.#give(line));
    lines.on("close", () => this.#end());
    ending.addEventListener("abort", () => this.#end());
  }

  next(): Promise<string | undefined> {
    const line = this.#waiting.shift();
    if (line !== undefined || this.#ended) return Promise.resolve(line);
    return new Promise((resolve) => (this.#wanted = resolve));
  }

  #give(line: string): void {
    const wanted = this.#wanted;
    this.#wanted = undefined;
    if (wanted === undefined) this.#waiting.push(line);
    else wanted(line);
  }

  #end(): void {
    this.#ended = true;
    this.#wanted?.(undefined);
    this.#wanted = undefined;
  }
}

class PlainConversation {
  readonly #options: PlainOptions;
  readonly #say: (text: string) => void;
  readonly #input: LineInput;
  #session: Session | undefined;
  #agent: string | undefined;

  constructor(options: PlainOptions, say: (text: string) => void, input: LineInput) {
    this.#options = options;
    this.#say = say;
    this.#input = input;
    this.#agent = options.first.agent;
  }

  /** False: quit. */
  async take(text: string): Promise<boolean> {
    try {
      const slash = parseSlash(text, { where: "terminal" });
      if (slash === undefined || slash.kind === "agent") await this.#prompt(text.replace(/^\\/, ""));
      else if (slash.kind === "unknown")
        this.#say(`There is no command /${oneLine(slash.unknown)}. /help lists the commands.`);
      else return await this.#slash(slash.command, slash.args);
    } catch (thrown) {
      const { message, help } = toReinsError(thrown);
      this.#say(`Error: ${oneLine(message)}${help === undefined ? "" : ` ${oneLine(help)}`}`);
    }
    return true;
  }

  async close(): Promise<void> {
    await this.#session?.close();
  }

  async #slash(command: SlashCommand, args: string): Promise<boolean> {
    const { reins, cwd, platform, first } = this.#options;
    const agent = this.#session?.agent ?? this.#agent ?? (await reins.agents()).find(({ ready }) => ready)?.id ?? "";
    const context = {
      reins,
      agent,
      model: first.model,
      mode: first.mode,
      sessionId: this.#session?.id,
      cwd,
      platform,
    } as const;
    const { boxes, effect } = await runSlash(command, args, { ...context, where: "terminal" });
    for (const box of boxes) this.#say(boxText(box));
    switch (effect?.kind) {
      case undefined:
        return true;
      case "quit":
        return false;
      case "clear":
        await this.close();
        this.#session = undefined;
        this.#say("A new session begins with your next prompt.");
        return true;
      case "switch_model":
        await this.#session?.configure({ model: effect.model });
        return true;
      case "switch_mode":
        await this.#session?.configure({ mode: effect.mode });
        return true;
      case "switch_agent":
      case "handoff": {
        const to = effect.kind === "handoff" ? effect.to : effect.agent;
        if (this.#session === undefined) this.#agent = to;
        else await this.#session.handoff({ to });
        this.#say(`The agent is ${oneLine(to)}.`);
        return true;
      }
      case "login":
      case "logout":
        this.#say(`Run this in a terminal: ${[effect.command.command, ...effect.command.args].join(" ")}`);
        return true;
      default:
        this.#say("This needs a screen: start `reins` in a terminal without --plain.");
        return true;
    }
  }

  async #prompt(text: string): Promise<void> {
    const { reins, cwd, first } = this.#options;
    const { model, mode, resume, fallback } = first;
    if (this.#session === undefined) {
      const agent = this.#agent ?? (await onlyBuiltIn(reins));
      this.#session = await reins.session({ agent, model, mode, resume, fallback, cwd, attended: true });
      this.#session.setPresence?.(true);
    }
    const turn = this.#session.prompt(text, { signal: this.#options.ending });
    for await (const event of turn) await this.#show(this.#session, event);
    const { error: _said, ...result } = await turn.result;
    this.#say(`Turn finished: ${endWords({ ...result, error: undefined }, result.costUsd)}`);
  }

  async #show(session: Session, event: ReinsEvent): Promise<void> {
    if (event.type === "message.completed") return this.#say(printable(event.text).trim());
    if (event.type === "permission.requested") return this.#permission(session, event);
    if (event.type === "question.requested") return this.#question(session, event);
    if (event.type === "turn.completed" && event.error !== undefined)
      return this.#say(`Error: ${oneLine(event.error.message)}`);
    if (event.type === "message.delta" || event.type === "thought.delta" || event.type === "turn.phase") return;
    const line = eventLine(event);
    if (line !== undefined && line !== "") this.#say(line);
  }

  async #permission(session: Session, request: EventOf<"permission.requested">): Promise<void> {
    const answers = answersTo(request, undefined).filter(({ action }) => action !== "why" && action !== "edit");
    this.#say(`Approval needed: ${oneLine(request.title)}`);
    this.#say(printable(request.diff ?? editableInput(request.input)).trimEnd());
    const choices = answers.flatMap((answer) => choicesOf(answer));
    for (const [at, { label }] of choices.entries()) this.#say(`${at + 1}. ${label}`);
    for (;;) {
      this.#say("Type a number and press Enter.");
      const typed = await this.#input.next();
      if (typed === undefined) return session.answer(request.requestId, "deny");
      const choice = choices[Number(typed.trim()) - 1];
      if (choice === undefined) continue;
      if (!choice.asksMessage) return session.answer(request.requestId, choice.reply);
      this.#say("Tell the agent why, and press Enter.");
      const message = (await this.#input.next()) ?? "";
      return session.answer(request.requestId, { decision: "deny", message });
    }
  }

  async #question(session: Session, request: EventOf<"question.requested">): Promise<void> {
    const answers: Record<string, string | readonly string[]> = {};
    for (const question of request.questions) {
      this.#say(`Question: ${oneLine(question.text)}`);
      for (const [at, { label, description }] of question.options.entries())
        this.#say(`${at + 1}. ${oneLine(label)}${description === undefined ? "" : `: ${oneLine(description)}`}`);
      this.#say(
        question.multiple ? "Type numbers with commas between them." : "Type a number, or an answer of your own.",
      );
      const typed = await this.#input.next();
      if (typed === undefined) return session.answer(request.requestId, "skip");
      const chosen = typed.split(",").map((word) => question.options[Number(word.trim()) - 1]?.label ?? word.trim());
      answers[question.id] = question.multiple ? chosen : (chosen[0] ?? "");
    }
    session.answer(request.requestId, { decision: "answer", answers });
  }
}

/** The built-in agent, where no other one is ready. */
async function onlyBuiltIn(reins: Reins): Promise<string | undefined> {
  const ready = (await reins.agents()).filter((agent) => agent.ready);
  return ready.every(({ builtIn }) => builtIn === true) ? ready[0]?.id : undefined;
}

interface Choice {
  readonly label: string;
  readonly asksMessage: boolean;
  readonly reply: Parameters<Session["answer"]>[1];
}

function choicesOf(answer: Answer): readonly Choice[] {
  const choice = (label: string, decision: "allow" | "deny", optionId: string | undefined): Choice => ({
    ...{ label: oneLine(label), asksMessage: false },
    reply: { decision, ...(optionId !== undefined && { optionId }) },
  });
  switch (answer.action) {
    case "once":
      return [choice(answer.label, "allow", answer.option?.id)];
    case "session":
      return [choice(answer.label, "allow", answer.option.id)];
    case "deny":
      return [choice(answer.label, "deny", answer.option?.id)];
    case "always":
      return answer.options.map(({ id, label }) => choice(label, "allow", id));
    case "message":
      return [{ label: answer.label, asksMessage: true, reply: "deny" }];
    default:
      return [];
  }
}
