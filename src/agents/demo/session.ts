/** One conversation with the demo agent. */
import { ReinsError } from "../../events/errors.ts";
import type { Mode } from "../../events/modes.ts";
import type { AgentEventOf } from "../../events/types.ts";
import { randomId } from "../../process/crypto.ts";
import type { AgentContext, OpenOptions, PromptInput } from "../contract.ts";
import type { Outbox } from "../shared/in-process/outbox.ts";
import { InProcessSession } from "../shared/in-process/session.ts";
import { InProcessTurn, turnContext } from "../shared/in-process/turn.ts";
import type { TurnContext } from "../shared/in-process/turn.ts";
import { refuseRules } from "../shared/refuse-rules.ts";
import { demoVersion, knownModel } from "./manage.ts";
import { parse, perform, say } from "./steps.ts";
import { tools } from "./tools.ts";
import { tour } from "./tour.ts";

interface DemoContext extends TurnContext {
  readonly tasks: Tasks;
  /** Of the whole conversation, also before it was resumed. */
  turns: number;
}

export class Turn extends InProcessTurn<DemoContext> {
  /** A few words about each thing that was done; said at the end when nothing else was. */
  readonly notes: string[] = [];
  said = false;

  /** The same turn, seen from inside a call. */
  under(callId: string): Turn {
    return new Turn(this.context, this.signal, this.filter, callId);
  }

  /** The notes as sentences. */
  get summary(): string {
    return this.notes.map((note) => `${note.replace(/\.$/, "")}.`).join(" ");
  }
}

export class DemoSession extends InProcessSession<DemoContext, Turn> {
  readonly #id: string;

  constructor(host: AgentContext, options: OpenOptions) {
    const model = knownModel(options.model);
    refuseRules({ id: "demo", name: "Demo" }, options.tools);
    const { id, turns } = recall(options);
    const context = turnContext(host, options);
    super("demo", Object.assign(context, { tasks: new Tasks(context.outbox), turns }), Turn);
    this.#id = id;
    this.context.tasks.finished = () => this.idle();
    this.context.outbox.push({
      type: "session.started",
      model,
      mode: options.mode,
      cwd: options.cwd,
      tools: Object.keys(tools),
      resumed: options.state !== undefined,
      agentVersion: demoVersion,
      state: this.state,
    });
  }

  get state(): string {
    return `demo:1:${this.#id}:${this.context.turns}`;
  }

  override async configure(change: { model?: string | undefined; mode?: Mode | undefined }): Promise<void> {
    if (change.model !== undefined) knownModel(change.model);
    await super.configure(change);
  }

  protected async prepare(input: PromptInput): Promise<(turn: Turn) => Promise<void>> {
    return (turn) => {
      this.context.turns++;
      return follow(turn, input);
    };
  }

  protected ending(_turn: Turn, ended: AgentEventOf<"turn.ended">): void {
    ended.background = this.context.tasks.running;
  }

  protected idle(): void {
    if (this.mayStart) this.context.tasks.report();
  }

  protected stopTasks(why: "cancelled" | "closed"): void {
    if (why === "closed") this.context.tasks.stop();
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

/** The id of the conversation and its turns so far, from the opaque state `demo:1:<id>:<turns so far>`. */
function recall({ state, fork }: OpenOptions): { id: string; turns: number } {
  if (state === undefined) return { id: randomId(), turns: 0 };
  const [, id, turns] = /^demo:1:([0-9a-f-]{36}):(\d{1,15})$/.exec(state) ?? [];
  if (id !== undefined) return { id: fork === true ? randomId() : id, turns: Number(turns) };
  const message = state.startsWith("demo:")
    ? "This state is from another version of the demo agent."
    : "This state is not one of the demo agent.";
  const help = "Start a new session, or resume with the agent that made the state.";
  throw new ReinsError("session_not_found", message, { agent: "demo", help });
}

interface Finished {
  readonly taskId: string;
  readonly ms: number;
}

/** Background work: waits that outlive the turn which started them, and are reported in a turn of the agent's own. */
class Tasks {
  /** Called after each task. */
  finished = (): void => {};
  readonly #outbox: Outbox;
  readonly #timers = new Map<string, NodeJS.Timeout>();
  #unreported: Finished[] = [];

  constructor(outbox: Outbox) {
    this.#outbox = outbox;
  }

  get running(): string[] {
    return [...this.#timers.keys()];
  }

  start(task: Finished): void {
    const { taskId } = task;
    const timer = setTimeout(() => {
      this.#timers.delete(taskId);
      this.#outbox.push({ type: "task.updated", taskId, status: "completed", summary: summaryOf(task) });
      this.#unreported.push(task);
      this.finished();
    }, task.ms);
    this.#timers.set(taskId, timer);
  }

  /** Reports the tasks that finished, each in a turn of its own. */
  report(): void {
    for (const task of this.#unreported.splice(0)) {
      const message = { messageId: `report_${task.taskId}`, text: summaryOf(task) };
      this.#outbox.push({ type: "message.delta", ...message });
      this.#outbox.push({ type: "message.completed", ...message });
      this.#outbox.push({ type: "turn.ended", origin: "agent", outcome: "done", background: this.running });
    }
  }

  stop(): void {
    for (const [taskId, timer] of this.#timers) {
      clearTimeout(timer);
      this.#outbox.push({ type: "task.updated", taskId, status: "stopped" });
    }
    this.#timers.clear();
    this.#unreported = [];
  }
}

function summaryOf(task: Finished): string {
  return `The background wait of ${task.ms} ms is over.`;
}
