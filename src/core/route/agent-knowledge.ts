/** Derives from the events of a session which agent worked last, what each agent knows, and from which state each could continue. */
import type { ReinsEvent } from "../../events/types.ts";
import { briefing } from "../../view/briefing.ts";
import { Notes } from "../../view/briefing-notes.ts";

interface Known {
  readonly state?: string | undefined;
  readonly until: number;
}

const nobody = "";

export class AgentKnowledge {
  readonly #notes = new Notes();
  readonly #agents = new Map<string, Known>();
  readonly #sizes = new Map<string, number>();
  #spoke: string | undefined;
  /** The agent that knows the latest request; `nobody` when that agent lost its conversation. */
  #worker: string | undefined;

  follow(event: ReinsEvent): void {
    this.#notes.apply(event);
    switch (event.type) {
      case "session.started":
      case "session.updated":
        return this.#knows(event.agent, { state: event.state });
      case "usage.updated":
        if (event.context?.size !== undefined) this.#sizes.set(event.agent, event.context.size);
        return;
      case "turn.started":
        this.#spoke = undefined;
        return;
      case "message.completed":
      case "tool.started":
        this.#spoke = event.agent;
        return;
      case "agent.switched":
        // An agent that gives a turn away may not know what the turn was about.
        if (event.turnId !== undefined && this.#spoke !== undefined) this.#worker = event.from;
        this.#spoke = undefined;
        return;
      case "turn.completed":
        if (this.#spoke !== event.agent && event.outcome !== "done") return;
        this.#worker = event.agent;
        return this.#knows(event.agent, { state: event.state, until: event.seq });
      default:
    }
  }

  get begun(): boolean {
    return this.#spoke !== undefined;
  }

  stateOf(agent: string): string | undefined {
    return this.#agents.get(agent)?.state;
  }

  /** The agent lost its conversation, so it gets a full briefing. */
  lost(agent: string): void {
    this.#agents.set(agent, { until: 0 });
    if ((this.#spoke ?? this.#worker) !== agent) return;
    this.#spoke = undefined;
    this.#worker = nobody;
  }

  /** The session is a fork: its agents' conversations belong to the original. */
  forgetStates(): void {
    for (const agent of this.#agents.keys()) this.#agents.set(agent, { until: 0 });
  }

  contextSizeOf(agent: string): number | undefined {
    return this.#sizes.get(agent);
  }

  /** The briefing that the agent needs before the turn that has just started; empty when it needs none. */
  briefingFor(agent: string, resumed: boolean, limit: number): string {
    const last = this.#spoke ?? this.#worker;
    if (last === undefined || last === agent) return "";
    const after = resumed ? (this.#agents.get(agent)?.until ?? 0) : 0;
    return briefing(this.#notes, { limit, after, missed: resumed });
  }

  #knows(agent: string, { state, until }: Partial<Known>): void {
    const known = this.#agents.get(agent);
    this.#agents.set(agent, { state: state ?? known?.state, until: until ?? known?.until ?? 0 });
  }
}
