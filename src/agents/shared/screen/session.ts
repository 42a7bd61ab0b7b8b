/**
 * A session with a program that is driven through its terminal screen. The text printed between a prompt and the next
 * ready state is the answer.
 */
import { resolve } from "node:path";
import { ReinsError } from "../../../events/errors.ts";
import { titleOf } from "../../../events/titles.ts";
import { toolKinds } from "../../../events/tools.ts";
import type { AgentEvent, Outcome } from "../../../events/types.ts";
import { randomId } from "../../../process/crypto.ts";
import type { Exit } from "../../../process/types.ts";
import type { Classifier } from "../../../protocols/failure.ts";
import { goneError } from "../../../protocols/process-exit.ts";
import { AgentRequests, type FinalAnswer, type NativeOption, type ParsedRequest } from "../../../protocols/requests.ts";
import { ScreenDriver, type ScreenQuestion } from "../../../protocols/screen/driver.ts";
import type { ChoiceRule, CompiledRules } from "../../../protocols/screen/rules.ts";
import type { AgentContext, AgentSession, Answer, OpenOptions, PromptInput } from "../../contract.ts";
import { Outbox } from "../in-process/outbox.ts";

export interface ScreenAgent {
  readonly id: string;
  readonly name: string;
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly rules: CompiledRules;
  readonly failures: Classifier;
}

interface Turn {
  /** Lines still to type: set until the program is ready. */
  lines: readonly string[] | undefined;
  cancelled: boolean;
  /** The last line that reports a failure, if no answer follows it. */
  failure?: string | undefined;
  message?: { readonly id: string; text: string; blanks: number } | undefined;
  call?: { readonly id: string; readonly output: string[] } | undefined;
}

interface Asked {
  readonly id: string;
  readonly callId: string;
  readonly question: ScreenQuestion;
}

export class ScreenSession implements AgentSession {
  readonly events: Outbox = new Outbox();
  readonly state = undefined;
  readonly #agent: ScreenAgent;
  readonly #options: OpenOptions;
  readonly #requests: AgentRequests<Asked, ChoiceRule>;
  #driver: ScreenDriver | undefined;
  #turn: Turn | undefined;
  #asked: Asked | undefined;
  #exit: Exit | undefined;

  private constructor(agent: ScreenAgent, options: OpenOptions) {
    this.#agent = agent;
    this.#options = options;
    this.#requests = new AgentRequests({
      name: agent.name,
      parse: (asked) => this.#requestOf(asked),
      refuse: ({ question }) => question.text,
      reply: (request, answer, asked) => this.#reply(request, answer, asked),
    });
  }

  /** Does not wait until the program is ready: it types the prompt then, and asks startup questions of the program in the first turn. */
  static async open({ processes }: AgentContext, agent: ScreenAgent, options: OpenOptions): Promise<ScreenSession> {
    const { cwd, sessionId, mode, model, signal } = options;
    signal?.throwIfAborted();
    const session = new ScreenSession(agent, options);
    const program = { argv: agent.argv, cwd, env: agent.env, agent: agent.id, sessionId };
    session.#driver = await ScreenDriver.open(processes, program, agent.rules, {
      lines: (lines) => session.#print(lines),
      question: (question) => session.#question(question),
      withdrawn: () => session.#withdrawn(),
      ready: () => session.#ready(),
      gone: (exit) => session.#gone(exit),
    });
    if (signal?.aborted === true) {
      await session.close();
      signal.throwIfAborted();
    }
    session.events.push({ type: "session.started", mode, cwd, model, resumed: false });
    return session;
  }

  async prompt({ text }: PromptInput): Promise<void> {
    const { id, name } = this.#agent;
    if (this.#exit !== undefined) throw goneError(name, id, this.#exit, this.#tail());
    const lines = this.#linesOf(text);
    this.#turn = { lines, cancelled: false };
    const asked = this.#asked;
    if (asked !== undefined) this.#say(...this.#requests.received(asked));
    else if (this.#driver?.isReady === true) this.#ready();
  }

  answer(requestId: string, answer: Answer): void {
    this.#requests.answer(requestId, answer);
  }

  async configure(): Promise<void> {
    const { id, name } = this.#agent;
    throw new ReinsError(
      "unsupported",
      `${name} is driven by its screen: its model and mode are chosen when it starts.`,
      {
        agent: id,
      },
    );
  }

  async cancel(): Promise<void> {
    const turn = this.#turn;
    if (turn === undefined || this.#exit !== undefined) return;
    turn.cancelled = true;
    this.#requests.cancelAll();
    // Nothing was typed, so there is nothing to interrupt.
    if (turn.lines !== undefined) this.#endTurn("cancelled");
    else this.#driver?.interrupt();
  }

  async close(): Promise<void> {
    await this.#driver?.stop();
    this.events.end();
  }

  /** The lines to type. Text only, because a terminal reads control characters as keys. */
  #linesOf(text: string): readonly string[] {
    const { longestLine, command, harmlessCommand, disarm = "" } = this.#agent.rules.input;
    const plain = text
      .replaceAll(/\r\n?/g, "\n")
      .replaceAll("\t", "    ")
      .replaceAll(/[\x00-\x09\x0b-\x1f\x7f-\x9f]/g, "")
      .trim();
    const isCommand = command?.test(plain) === true && this.#options.mode !== "full";
    const runs = isCommand && harmlessCommand?.test(plain) !== true;
    if (runs) {
      const message = `${this.#agent.name} would run this prompt as a command without asking, so it was sent as text.`;
      this.#say({ type: "notice", level: "warning", code: "divergence", message });
    }
    const lines = `${runs ? disarm : ""}${plain}`.split("\n");
    if (lines.every((line) => Buffer.byteLength(line) <= longestLine)) return lines;
    throw new ReinsError(
      "invalid_input",
      `A line of the prompt has more than ${longestLine} bytes, which a terminal does not accept.`,
      {
        agent: this.#agent.id,
        help: "Break it into several lines.",
      },
    );
  }

  #print(lines: readonly string[]): void {
    const turn = this.#turn;
    // Output before the prompt was typed is startup text, not an answer.
    if (turn === undefined || turn.lines !== undefined) return;
    const { ignored, failures } = this.#agent.rules;
    for (const line of lines) {
      if (ignored.some((pattern) => pattern.test(line))) continue;
      if (turn.call !== undefined) {
        turn.call.output.push(line);
        continue;
      }
      if (failures.some((pattern) => pattern.test(line))) turn.failure = line;
      else if (line !== "") turn.failure = undefined;
      this.#text(turn, line);
    }
    const room = this.events.room();
    if (room === undefined) return;
    this.#driver?.hold(true);
    void room.then(() => this.#driver?.hold(false));
  }

  #text(turn: Turn, line: string): void {
    // Blank lines around an answer separate it from the prompts.
    if (line === "") {
      if (turn.message !== undefined) turn.message.blanks++;
      return;
    }
    turn.message ??= { id: `msg_${randomId()}`, text: "", blanks: 0 };
    const text = `${"\n".repeat(turn.message.blanks)}${line}\n`;
    turn.message.blanks = 0;
    turn.message.text += text;
    this.#say({ type: "message.delta", messageId: turn.message.id, text });
  }

  #question(question: ScreenQuestion): void {
    const asked = { id: `req_${randomId()}`, callId: `call_${randomId()}`, question };
    this.#asked = asked;
    const turn = this.#turn;
    if (turn === undefined) return;
    this.#endMessage(turn);
    this.#endCall(turn);
    const { call } = question.rule;
    const request = this.#requestOf(asked);
    if (call !== undefined && request.kind === "permission") {
      const { tool, title, input } = request.call;
      const named = { callId: asked.callId, tool, nativeName: question.text, kind: toolKinds[tool], title, input };
      this.#say({ type: "tool.started", ...named });
    }
    this.#say(...this.#requests.received(asked));
  }

  #withdrawn(): void {
    const asked = this.#asked;
    this.#asked = undefined;
    if (asked !== undefined) this.#say(...this.#requests.withdrawn(asked.id));
  }

  #requestOf({ id, callId, question }: Asked): ParsedRequest<ChoiceRule> {
    const { rule, text, subject, choices } = question;
    const { cwd } = this.#options;
    const [only = "", ...others] = subject.map((line) => line.trim());
    const isWhole = others.length === 0 && only !== "" && only.length < this.#agent.rules.columns - 1;
    if (rule.call !== undefined && isWhole) {
      const { tool, field } = rule.call;
      const input = { [field]: only };
      const title = titleOf(tool, input, { cwd, nativeName: text });
      const options = choices.flatMap((choice) => optionOf(choice) ?? []);
      const locations = field === "path" ? [{ path: resolve(cwd, only) }] : [];
      return {
        id,
        kind: "permission",
        call: { callId, tool, nativeName: text, title, input, locations, reason: text },
        options,
      };
    }
    const asks = {
      id: "answer",
      text: [...subject, text].join("\n"),
      options: choices.map(({ label }) => ({ label })),
      multiple: false,
    };
    return { id, kind: "question", questions: [asks] };
  }

  #reply(request: ParsedRequest<ChoiceRule>, answer: FinalAnswer<ChoiceRule>, { callId, question }: Asked): void {
    this.#asked = undefined;
    const turn = this.#turn;
    const allowed = answer.decision === "allow";
    if (request.kind === "permission" && allowed && turn !== undefined) {
      turn.call = { id: callId, output: [] };
      if (question.rule.call?.output !== true) this.#endCall(turn);
    } else if (request.kind === "permission") {
      const reason = answer.decision === "cancel" ? "cancelled" : "denied";
      const message = reason === "cancelled" ? "The turn was cancelled." : "It was denied.";
      this.#say({ type: "tool.failed", callId, reason, error: { message } });
    }
    const stops = answer.decision === "cancel" || (answer.decision === "deny" && answer.stop);
    if (answer.decision === "deny" && answer.stop && turn !== undefined) turn.cancelled = true;
    // An interrupt also removes the question. Types a yes only for an answer that allows.
    if (stops) this.#driver?.interrupt();
    else this.#driver?.answer(keysFor(answer, question.choices));
  }

  #ready(): void {
    const turn = this.#turn;
    if (turn === undefined) return;
    if (turn.lines === undefined) return this.#endTurn(turn.cancelled ? "cancelled" : "done");
    const { lines } = turn;
    turn.lines = undefined;
    this.#driver?.type(lines);
  }

  #endTurn(outcome: Outcome): void {
    const turn = this.#turn!;
    this.#turn = undefined;
    this.#endMessage(turn);
    this.#endCall(turn);
    this.#requests.turnEnded();
    if (outcome === "done" && turn.failure !== undefined)
      this.#say({ type: "turn.ended", ...this.#agent.failures.ending({ text: turn.failure }) });
    else this.#say({ type: "turn.ended", outcome });
  }

  #endMessage(turn: Turn): void {
    const { message } = turn;
    turn.message = undefined;
    if (message !== undefined) this.#say({ type: "message.completed", messageId: message.id, text: message.text });
  }

  #endCall(turn: Turn): void {
    const { call } = turn;
    turn.call = undefined;
    if (call === undefined) return;
    const text = call.output.join("\n").trim();
    const bytes = Buffer.byteLength(text);
    this.#say({ type: "tool.completed", callId: call.id, output: { text, bytes, kept: bytes } });
  }

  #gone(exit: Exit): void {
    this.#exit = exit;
    const turn = this.#turn;
    this.#turn = undefined;
    if (turn !== undefined) this.#endMessage(turn);
    this.#say({ type: "process.exited", code: exit.code, signal: exit.signal, stderrTail: this.#tail() });
    if (turn?.cancelled === true) this.#say({ type: "turn.ended", outcome: "cancelled" });
    else if (turn !== undefined)
      this.#say({ type: "turn.ended", outcome: "failed", error: this.#agent.failures.exit(exit, this.#tail()) });
    this.events.end();
  }

  /** A terminal has no stderr, so its last lines explain why the program ended. */
  #tail(): string {
    return (this.#driver?.recent ?? []).slice(-20).join("\n").trim();
  }

  #say(...events: readonly AgentEvent[]): void {
    for (const event of events) this.events.push(event);
  }
}

function optionOf(choice: ChoiceRule): NativeOption<ChoiceRule> | undefined {
  if (choice.means === undefined) return undefined;
  const kind = choice.means === "yes" ? "allow_once" : "reject_once";
  return { option: { id: choice.means, kind, label: choice.label, scope: "once" }, choice };
}

/** Treats every answer that is not a clear yes as a no. */
function keysFor(answer: FinalAnswer<ChoiceRule>, choices: readonly ChoiceRule[]): string {
  const no = choices.find(({ means }) => means === "no")?.keys ?? "";
  if (answer.decision === "allow") return answer.option?.choice?.keys ?? no;
  if (answer.decision !== "answer") return no;
  const chosen = Object.values(answer.answers).flat();
  return choices.find(({ label }) => chosen.includes(label))?.keys ?? no;
}
