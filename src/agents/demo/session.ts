import { ReinsError } from "../../events/errors.ts";
import type { Mode } from "../../events/modes.ts";
import { randomId } from "../../process/crypto.ts";
import type { AgentContext, OpenOptions, PromptInput } from "../contract.ts";
import { InProcessSession } from "../shared/in-process/session.ts";
import { InProcessTurn, turnContext, type TurnContext } from "../shared/in-process/turn.ts";
import { refuseRules } from "../shared/tool-filter.ts";
import { demoVersion, knownModel } from "./manage.ts";
import { parse, perform, say } from "./steps.ts";
import { tools } from "./tools.ts";
import { tour } from "./tour.ts";

const agent = { id: "demo", name: "Demo" };

interface DemoContext extends TurnContext {
  /** Turns of the whole conversation, including those before it was resumed. */
  turns: number;
}

export class Turn extends InProcessTurn<DemoContext> {
  /** A few words about each completed action, shown at the end when there is no other message. */
  readonly notes: string[] = [];
  said = false;

  get summary(): string {
    return this.notes.map((note) => `${note.replace(/\.$/, "")}.`).join(" ");
  }
}

export class DemoSession extends InProcessSession<DemoContext, Turn> {
  readonly #id: string;

  constructor(host: AgentContext, options: OpenOptions) {
    const model = knownModel(options.model);
    refuseRules(agent, options.tools);
    const { id, turns } = recall(options);
    super({ ...turnContext(agent, host, options), turns }, Turn);
    this.#id = id;
    this.started({ model, tools: Object.keys(tools), agentVersion: demoVersion });
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

  /** Reports each task that ended in the background in a turn of its own. */
  protected idle(): void {
    const { background, outbox } = this.context;
    if (!this.mayStart) return;
    for (const { taskId, text } of background.take()) {
      const message = { messageId: `report_${taskId}`, text };
      outbox.push({ type: "message.delta", ...message });
      outbox.push({ type: "message.completed", ...message });
      outbox.push({ type: "turn.ended", origin: "agent", outcome: "done", background: background.running });
    }
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
  throw new ReinsError("session_not_found", message, { agent: agent.id, help });
}
