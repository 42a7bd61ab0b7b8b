/** Stands between the core and an agent: sees which programs it starts, and can deny what the agent holds. */
import type { AgentEntry, AgentSession, Answer } from "../../agents/contract.ts";
import { toolKinds, type ToolKind } from "../../events/tools.ts";
import type { AgentEvent } from "../../events/types.ts";
import type { Processes } from "../../process/types.ts";
import type { Launched } from "./types.ts";

export class Tap {
  /** Every program of its sessions, oldest first. */
  readonly launched: Launched[] = [];
  /** Calls of this kind are denied where Reins would let them pass: only so does it show that they really wait. */
  denied: ToolKind | undefined;
  /** How many calls it denied. */
  denials = 0;
  readonly #steered = Promise.withResolvers<void>();
  /** It has taken in, or refused, what was put into a running turn: only then may that turn end. */
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
