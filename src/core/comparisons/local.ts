/** Comparisons whose sessions this process holds. */
import type { Prompt, Reins, Session, SessionOptions } from "../api.ts";
import { ReinsError } from "../../events/errors.ts";
import type { ReinsEvent } from "../../events/types.ts";
import { openComparisons, type Comparisons } from "./comparisons.ts";
import type {
  ComparedSession,
  ComparedSessions,
  Comparison,
  ComparisonDetails,
  ComparisonsApi,
  EntryState,
  KeepAnswer,
  KeptEntry,
  NewComparison,
} from "./types.ts";

interface Held {
  readonly session: Session;
  readonly waiting: Set<string>;
  /** Initially `running`: an open session without a turn is about to get its prompt. */
  state: EntryState;
}

type Opener = Pick<Reins, "session" | "sessions">;

class LocalSessions implements ComparedSessions {
  readonly #reins: Opener;
  readonly #held = new Map<string, Held>();

  constructor(reins: Opener) {
    this.#reins = reins;
  }

  async open(options: SessionOptions): Promise<ComparedSession> {
    const session = await this.#reins.session({ attended: true, ...options });
    const held: Held = { session, waiting: new Set(), state: "running" };
    this.#held.set(session.id, held);
    void this.#follow(held);
    return {
      id: session.id,
      begin: (prompt) => begin(session, prompt),
      close: () => session.close(),
    };
  }

  async close(id: string): Promise<void> {
    await this.#held.get(id)?.session.close();
  }

  async state(id: string): Promise<EntryState> {
    const held = this.#held.get(id);
    if (held !== undefined) return held.waiting.size > 0 ? "waiting" : held.state;
    const kept = await this.#reins.sessions.get(id).catch(() => undefined);
    return kept?.openTurn === undefined ? (kept?.outcome ?? "gone") : "running";
  }

  /** Returns the open session, otherwise resumes the stored one. */
  async session(id: string): Promise<Session> {
    return this.#held.get(id)?.session ?? this.#reins.session({ resume: id, attended: true });
  }

  async #follow(held: Held): Promise<void> {
    try {
      for await (const event of held.session.events()) learn(held, event);
    } finally {
      this.#held.delete(held.session.id);
    }
  }
}

async function begin(session: Session, prompt: Prompt): Promise<void> {
  const turn = session.prompt(prompt);
  const taken = async (): Promise<void> => {
    for await (const _first of turn) return;
  };
  await Promise.race([taken(), turn.result]);
}

function learn(held: Held, event: ReinsEvent): void {
  switch (event.type) {
    case "turn.started":
      held.state = "running";
      break;
    case "turn.completed":
      held.state = event.outcome;
      break;
    case "permission.requested":
    case "question.requested":
      held.waiting.add(event.requestId);
      break;
    case "permission.resolved":
    case "question.resolved":
      held.waiting.delete(event.requestId);
      break;
    default:
  }
}

export class LocalComparisons implements ComparisonsApi {
  readonly #sessions: LocalSessions;
  readonly #comparisons: Comparisons;

  constructor(options: Omit<Parameters<typeof openComparisons>[0], "reins" | "sessions"> & { readonly reins: Reins }) {
    this.#sessions = new LocalSessions(options.reins);
    this.#comparisons = openComparisons({ ...options, sessions: this.#sessions });
  }

  create(wanted: NewComparison): Promise<Comparison> {
    return this.#comparisons.create(wanted);
  }

  list(): Promise<readonly Comparison[]> {
    return Promise.all(this.#comparisons.all.map((record) => this.#comparisons.show(record)));
  }

  async get(id: string): Promise<ComparisonDetails> {
    return this.#comparisons.details(this.#comparisons.get(id));
  }

  async session(id: string, entry: number): Promise<Session> {
    const found = this.#comparisons.get(id).entries.find(({ number }) => number === entry)?.session;
    if (found === undefined) throw new ReinsError("invalid_input", `Entry ${entry} has no session.`);
    return this.#sessions.session(found);
  }

  async keep(id: string, entry: number, how: KeptEntry["how"]): Promise<KeepAnswer> {
    return this.#comparisons.keep(this.#comparisons.get(id), entry, how);
  }

  async remove(id: string): Promise<readonly string[]> {
    return this.#comparisons.remove(this.#comparisons.get(id));
  }

  close(): Promise<void> {
    return this.#comparisons.close();
  }
}
