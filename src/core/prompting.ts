/** What becomes of a prompt: a turn, a place in the queue, or a word in the turn that runs. */
import type { PromptInput } from "../agents/contract.ts";
import { ReinsError } from "../events/errors.ts";
import { cleanError } from "./clean-error.ts";
import { shownInput } from "./prompt.ts";
import type { Queued } from "./prompt-queue.ts";
import type { SessionParts } from "./session-parts.ts";
import type { CurrentTurn } from "./states.ts";
import type { Turns } from "./turns.ts";

export interface PromptingOptions extends Pick<
  SessionParts,
  "context" | "state" | "settings" | "queue" | "recorder" | "journal" | "legs"
> {
  readonly turns: Turns;
}

export class Prompting {
  readonly #o: PromptingOptions;

  constructor(options: PromptingOptions) {
    this.#o = options;
  }

  /** Throws where the session is busy, and nobody said that it may wait. */
  begin(queued: Queued): void {
    const { state, queue, recorder, turns } = this.#o;
    const { turn } = state;
    if (turn === undefined) return turns.start(queued);
    if (!recorder.isOfSubagents || turn.isCancelled || !queue.isEmpty) return this.#whenBusy(queued, turn);
    // What subagents do in the background keeps nobody from prompting: their turn ends here, and they go on in the next.
    queue.add(queued);
    void turns.end({ outcome: "done" });
  }

  #whenBusy(queued: Queued, turn: CurrentTurn): void {
    const { settings, queue, journal, legs } = this.#o;
    const how = queued.options.whenBusy ?? "reject";
    if (how === "reject") throw busyError(settings.agent.id);
    if (how === "steer") {
      const session = legs.current?.session;
      if (session?.steer !== undefined && turn.phase === "told" && !turn.isCancelled)
        return void this.#steer(queued, turn, session.steer.bind(session));
      const { capabilities, name } = settings.agent;
      const who = capabilities.steer ? "The turn" : name;
      const when = capabilities.steer ? "in now" : "into a running turn";
      journal.say("warning", "divergence", `${who} takes nothing ${when}; the prompt follows after it.`);
    }
    this.#added(queued.input, "queue");
    void journal.flush();
    queue.add(queued);
  }

  /** Only what the agent took in shares the result of the turn. */
  async #steer(
    { handle, input, options }: Queued,
    turn: CurrentTurn,
    steer: (input: PromptInput) => Promise<void>,
  ): Promise<void> {
    const { context, recorder, journal, turns } = this.#o;
    this.#added(input, "steer");
    handle.start({ log: context.log, after: recorder.lastSeq - 1, turnId: turn.id });
    void journal.flush();
    turn.handles.add(handle);
    handle.cancelOn(options.signal);
    try {
      await steer(turns.taken(input));
      handle.complete(await turn.over);
    } catch (thrown) {
      turn.handles.delete(handle);
      const error = cleanError(thrown, context.redact);
      journal.say("error", "divergence", `The prompt could not be added to the turn: ${error.message}`);
      handle.refuse(error);
    }
  }

  #added(input: PromptInput, how: "queue" | "steer"): void {
    const { context, recorder } = this.#o;
    const { text, attachments } = shownInput(input, context.limits.inlineBytes, context.redact);
    recorder.say({ type: "input.added", text, attachments, how });
  }
}

export function busyError(agent: string): ReinsError {
  return new ReinsError("session_busy", "The session is already working on a prompt.", {
    agent,
    help: "Wait for the turn to end, cancel it, or pass whenBusy: queue or steer.",
  });
}
