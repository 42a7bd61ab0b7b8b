import type { ModelMessage } from "ai";
import { ReinsError } from "../../events/errors.ts";
import type { Mode } from "../../events/modes.ts";
import type { AgentEventOf } from "../../events/types.ts";
import { contextOf, total } from "../../protocols/usage.ts";
import type { PromptInput } from "../contract.ts";
import type { Report } from "../shared/in-process/background.ts";
import { InProcessSession } from "../shared/in-process/session.ts";
import { conversationState } from "../../protocols/conversation-state.ts";
import { canCompact, compact, isNearlyFull } from "./compaction.ts";
import { chooseModel, contextSize } from "./endpoints.ts";
import { converse } from "./loop.ts";
import { userMessage } from "./transcript.ts";
import { Turn, type NativeContext } from "./turn.ts";
import { reading } from "./usage.ts";

export class NativeSession extends InProcessSession<NativeContext, Turn> {
  readonly #end: () => Promise<void>;

  constructor(context: NativeContext, end: () => Promise<void>) {
    super(context, Turn);
    this.#end = end;
  }

  get state(): string {
    return conversationState({ id: "native", name: "Native" }).encode(this.context.transcript.id);
  }

  protected async prepare(input: PromptInput): Promise<(turn: Turn) => Promise<void>> {
    const message = await this.#message(input);
    if (input.text.trim() === "/compact") return compactNow;
    return (turn) => work(turn, [message]);
  }

  async steer(input: PromptInput): Promise<void> {
    const message = await this.#message(input);
    if (this.turn?.steering === undefined)
      throw new ReinsError("invalid_input", "The turn is over.", { agent: "native" });
    this.turn.steering.push(message);
  }

  override async configure(change: { model?: string | undefined; mode?: Mode | undefined }): Promise<void> {
    if (change.model !== undefined) {
      this.context.model = chooseModel(change.model, this.context.env);
      this.context.usage.context = undefined;
    }
    await super.configure(change);
  }

  /** Tells the model about tasks that ended in the background, in a turn of the agent's own. */
  idle(): void {
    if (this.mayStart && this.context.background.hasReports) this.start((turn) => work(turn, []), true);
  }

  protected override async ending(turn: Turn, ended: AgentEventOf<"turn.ended">): Promise<void> {
    const { transcript, usage } = this.context;
    turn.steering = undefined;
    await transcript.settle("It was not finished: the turn ended.").catch(() => {});
    ended.usage = usage.turnEnded().tokens;
  }

  protected override async stopTasks(why: "cancelled" | "closed"): Promise<void> {
    await this.context.background.stop();
    if (why === "closed") await this.#end();
  }

  #message(input: PromptInput): Promise<ModelMessage> {
    const { options, host } = this.context;
    return userMessage(input, options.cwd, host.limits.promptBytes);
  }
}

async function work(turn: Turn, messages: readonly ModelMessage[]): Promise<void> {
  const { transcript, background, usage, env } = turn.context;
  await transcript.add(...messages);
  await converse(turn, transcript, {
    between: async () => {
      const reports = background
        .take()
        .map((report): ModelMessage => ({ role: "user", content: notification(report) }));
      await transcript.add(...reports, ...(turn.steering?.splice(0) ?? []));
      if (isNearlyFull(turn) && canCompact(turn)) await compact(turn, "auto");
    },
    goOn: () => {
      if (background.hasReports || (turn.steering ?? []).length > 0) return true;
      turn.steering = undefined;
      return false;
    },
    answered: async ({ tokens }) => {
      const { model } = turn.context;
      usage.add(reading(model.name, tokens));
      usage.context = contextOf(total(tokens), contextSize(model, env));
      await turn.emit(usage.turnEvent);
    },
    tooLong: async () => {
      if (turn.madeRoom || !canCompact(turn)) return false;
      turn.madeRoom = true;
      await compact(turn, "auto");
      return true;
    },
  });
}

function notification({ taskId, title, status, text }: Report): string {
  return `<task-notification>\nThe background task ${taskId} (${title}) has ended: ${status}.\n${text}\n</task-notification>`;
}

async function compactNow(turn: Turn): Promise<void> {
  if (canCompact(turn)) await compact(turn, "manual");
  const text = "The conversation is summarised.";
  const messageId = turn.newId("message");
  turn.close({ type: "message.delta", messageId, text });
  turn.close({ type: "message.completed", messageId, text });
}
