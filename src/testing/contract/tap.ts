/** Wraps an agent: observes which programs it starts, and can deny calls that the agent holds. */
import type { AgentEntry, AgentSession, Answer } from "../../agents/contract.ts";
import { toolKinds, type ToolKind } from "../../events/tools.ts";
import type { AgentEvent } from "../../events/types.ts";
import type { Processes } from "../../process/types.ts";
import type { Launched } from "./types.ts";

export class Tap {
  /** Every program of the agent's sessions, oldest first. */
  readonly launched: Launched[] = [];
  /** Denies calls of this kind that Reins would allow, to prove that they really wait. */
  denied: ToolKind | undefined;
  /** How many calls were denied this way. */
  denials = 0;
  readonly #steered = Promise.withResolvers<void>();
  /** Settles when the agent has accepted or refused a prompt for the running turn; only then may the turn end. */
  readonly steered = this.#steered.promise;

  on(entry: AgentEntry): AgentEntry {
    const load: AgentEntry["load"] = async () => {
      const { createAgent } = await entry.load();
      return {
        createAgent: (context, id) => {
          const agent = createAgent({ ...context, processes: this.#watched(context.processes) }, id);
          return {
            ...agent,
            probe: () => agent.probe(),
            open: async (options) => {
              const session = this.#heard(await agent.open(options));
              return this.denied === undefined ? session : this.#denying(session, this.denied);
            },
          };
        },
      };
    };
    return { ...entry, load };
  }

  #watched(processes: Processes): Processes {
    return {
      launch: async (spec) => {
        const child = await processes.launch(spec);
        let isGone = false;
        this.launched.push({
          pid: child.pid,
          get isGone() {
            return isGone;
          },
          get stderrTail() {
            return child.stderrTail();
          },
        });
        void child.exited.then(() => (isGone = true));
        return child;
      },
      run: (spec, deadlineMs) => processes.run(spec, deadlineMs),
      reap: () => processes.reap(),
      close: () => processes.close(),
    };
  }

  #heard(session: AgentSession): AgentSession {
    const steer = session.steer?.bind(session);
    if (steer !== undefined) session.steer = (input) => steer(input).finally(() => this.#steered.resolve());
    return session;
  }

  #denying(session: AgentSession, kind: ToolKind): AgentSession {
    const held = new Set<string>();
    const note = (event: AgentEvent): void => {
      if (event.type === "tool.held" && toolKinds[event.tool] === kind) held.add(event.requestId);
    };
    async function* events(): AsyncGenerator<readonly AgentEvent[]> {
      for await (const batch of session.events) {
        batch.forEach(note);
        yield batch;
      }
    }
    const steer = session.steer?.bind(session);
    return {
      events: events(),
      prompt: (input) => session.prompt(input),
      ...(steer === undefined ? {} : { steer }),
      answer: (requestId: string, answer: Answer) => {
        if (!held.has(requestId)) return session.answer(requestId, answer);
        this.denials++;
        session.answer(requestId, { decision: "deny", message: "Not allowed, to see whether it waits." });
      },
      configure: (change) => session.configure(change),
      cancel: () => session.cancel(),
      get state() {
        return session.state;
      },
      close: () => session.close(),
    };
  }
}
