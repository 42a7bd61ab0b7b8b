/** One conversation with the demo agent. */
import { ReinsError, errorInfo, toReinsError } from "../../events/errors.ts";
import type { Mode } from "../../events/modes.ts";
import type { AgentEvent, AgentEventOf } from "../../events/types.ts";
import type { AgentContext, AgentSession, Answer, OpenOptions, PromptInput, ToolFilter } from "../contract.ts";
import { EndTurn } from "../shared/endings.ts";
import { parse } from "./grammar.ts";
import { demoVersion, knownModel } from "./models.ts";
import { Outbox } from "../shared/outbox.ts";
import { refuseRules } from "../shared/refuse-rules.ts";
import { fromState, newMemory, toState } from "./state.ts";
import type { Memory } from "./state.ts";
import { perform } from "./steps/index.ts";
import { say } from "./steps/say.ts";
import { Tasks } from "./tasks.ts";
import { canonicalTools } from "./tools.ts";
import { tour } from "./tour.ts";
import { Turn } from "./turn.ts";
import type { Desk } from "./turn.ts";

export class DemoSession implements AgentSession {
  readonly #desk: Desk;
  readonly #id: string;
  readonly #resumed: boolean;
  #firstPrompt = true;
  #running: { readonly abort: AbortController; readonly done: Promise<void> } | undefined;
  #closed = false;

  constructor(context: AgentContext, options: OpenOptions) {
    const model = knownModel(options.model);
    refuseRules({ id: "demo", name: "Demo" }, options.tools);
    const memory = recall(options);
    const outbox = new Outbox();
    const tasks = new Tasks(outbox, () => this.#running !== undefined);
    this.#id = memory.id;
    this.#resumed = options.state !== undefined;
    this.#desk = {
      context,
      options,
      outbox,
      tasks,
      waiting: new Map(),
      allowedAlways: new Set(),
      mode: options.mode,
      turns: memory.turns,
    };
    outbox.push({
      type: "session.started",
      model,
      mode: options.mode,
      cwd: options.cwd,
      tools: Object.keys(canonicalTools),
      resumed: this.#resumed,
      agentVersion: demoVersion,
      state: this.state,
    });
  }

  get events(): AsyncIterable<readonly AgentEvent[]> {
    return this.#desk.outbox;
  }

  get state(): string {
    return toState({ id: this.#id, turns: this.#desk.turns });
  }

  async prompt(input: PromptInput): Promise<void> {
    if (this.#closed) throw new ReinsError("session_not_found", "This session is closed.", { agent: "demo" });
    if (this.#running !== undefined)
      throw new ReinsError("session_busy", "The demo agent is already working on a prompt.", { agent: "demo" });
    const abort = new AbortController();
    const turn = new Turn(this.#desk, abort.signal, this.#toolFilter());
    this.#desk.turns++;
    this.#firstPrompt = false;
    this.#running = { abort, done: this.#work(turn, input) };
  }

  answer(requestId: string, answer: Answer): void {
    this.#desk.waiting.get(requestId)?.(answer);
  }

  async configure(change: { model?: string | undefined; mode?: Mode | undefined }): Promise<void> {
    if (change.model !== undefined) knownModel(change.model);
    this.#desk.mode = change.mode ?? this.#desk.mode;
  }

  async cancel(): Promise<void> {
    const running = this.#running;
    running?.abort.abort(new EndTurn("cancelled"));
    await running?.done;
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.cancel();
    this.#desk.tasks.stop();
    this.#desk.outbox.end();
  }

  #toolFilter(): ToolFilter {
    const { tools } = this.#desk.options;
    return (this.#firstPrompt && !this.#resumed ? tools?.first : undefined) ?? tools ?? {};
  }

  /** The turn from its beginning to its `turn.ended`. Never rejects. */
  async #work(turn: Turn, input: PromptInput): Promise<void> {
    const ended: AgentEventOf<"turn.ended"> = { type: "turn.ended", outcome: "done" };
    try {
      await follow(turn, input);
    } catch (thrown) {
      ended.outcome = thrown instanceof EndTurn ? thrown.outcome : "failed";
      if (!(thrown instanceof EndTurn)) ended.error = errorInfo(toReinsError(thrown));
      else if (thrown.error !== undefined) ended.error = thrown.error;
    }
    const { outbox, tasks } = this.#desk;
    ended.background = tasks.running;
    outbox.push(ended);
    this.#running = undefined;
    // Later, so that whoever waits for this turn can go on first.
    setImmediate(() => tasks.report());
  }
}

async function follow(turn: Turn, input: PromptInput): Promise<void> {
  if (input.attachments !== undefined && input.attachments.length > 0) {
    const message = "The demo agent does not look at attachments; they were left out.";
    await turn.emit({ type: "notice", level: "warning", code: "divergence", message });
  }
  const steps = parse(input.text);
  if (steps === undefined) return tour(turn, input.text);
  for (const step of steps) await perform(turn, step);
  if (!turn.said && turn.notes.length > 0) await say(turn, turn.summary);
}

function recall(options: OpenOptions): Memory {
  if (options.state === undefined) return newMemory();
  const memory = fromState(options.state);
  return options.fork === true ? newMemory(memory.turns) : memory;
}
