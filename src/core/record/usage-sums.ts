/**
 * Sums the usage of a session or turn in which several agents took part: each agent reports only its own, and readers
 * get the sum (law 8). With a single agent, its figures pass unchanged.
 */
import type { AgentEventOf, Tokens } from "../../events/types.ts";

type UsageEvent = AgentEventOf<"usage.updated">;
type Reading = Pick<UsageEvent, "tokens" | "byModel" | "costUsd">;

interface Known {
  readonly earlier: Reading | undefined;
  readonly last: Reading;
}

export class UsageSums {
  readonly #sessions = new Map<string, Known>();
  #earlier: Reading | undefined;
  #turn: Reading | undefined;
  #before: { readonly earlier: Reading | undefined; readonly turn: Reading | undefined } | undefined;

  startTurn(): void {
    this.#earlier = undefined;
    this.#turn = undefined;
  }

  /** The turn continues with another agent. Final figures of this agent override those that it reported earlier. */
  suspendTurn({ usage, costUsd }: { usage?: Tokens | undefined; costUsd?: number | undefined } = {}): void {
    this.#before = { earlier: this.#earlier, turn: this.#turn };
    this.#earlier = sum(this.#earlier, usage === undefined ? this.#turn : { tokens: usage, costUsd });
    this.#turn = undefined;
  }

  resumeTurn(): void {
    this.#earlier = this.#before?.earlier;
    this.#turn = this.#before?.turn;
  }

  told(agent: string, event: UsageEvent): UsageEvent {
    if (event.parent !== undefined) return event;
    if (event.scope === "turn") {
      this.#turn = latest(this.#turn, event);
      return this.#earlier === undefined ? event : { ...event, ...sum(this.#earlier, this.#turn) };
    }
    const known = this.#sessions.get(agent);
    // A resumed agent may continue counting or start at zero.
    const earlier = known !== undefined && fell(known.last, event) ? sum(known.earlier, known.last) : known?.earlier;
    const last = earlier === known?.earlier ? latest(known?.last, event) : event;
    this.#sessions.set(agent, { earlier, last });
    if (this.#sessions.size < 2) return event;
    return { ...event, ...[...this.#sessions.values()].flatMap(parts).reduce(plus) };
  }

  /** Restores figures of an earlier process, which are already sums. */
  restore(agent: string, event: UsageEvent): void {
    if (event.scope !== "session" || event.parent !== undefined) return;
    const others = [...this.#sessions].filter(([id]) => id !== agent).flatMap(([, known]) => parts(known));
    this.#sessions.set(agent, { earlier: undefined, last: others.reduce<Reading>(minus, event) });
  }

  /** Usage of the whole turn, from the figures of the agent that ended it. */
  ofTurn(own: { usage?: Tokens | undefined; costUsd?: number | undefined }): typeof own {
    if (this.#earlier === undefined || own.usage === undefined) return own;
    const { tokens, costUsd } = plus(this.#earlier, { tokens: own.usage, costUsd: own.costUsd });
    return { usage: tokens, costUsd };
  }
}

function parts({ earlier, last }: Known): readonly Reading[] {
  return earlier === undefined ? [last] : [earlier, last];
}

function latest(before: Reading | undefined, { tokens, byModel, costUsd }: Reading): Reading {
  if (tokens !== undefined) return { tokens, byModel, costUsd };
  return { tokens: before?.tokens, byModel: before?.byModel, costUsd: costUsd ?? before?.costUsd };
}

function fell(before: Reading, now: Reading): boolean {
  if (before.tokens === undefined || now.tokens === undefined) return (before.costUsd ?? 0) > (now.costUsd ?? Infinity);
  return before.tokens.input > now.tokens.input || before.tokens.output > now.tokens.output;
}

function sum(a: Reading | undefined, b: Reading | undefined): Reading | undefined {
  return a === undefined || b === undefined ? (a ?? b) : plus(a, b);
}

function plus(a: Reading, b: Reading): Reading {
  const costUsd = a.costUsd === undefined || b.costUsd === undefined ? undefined : a.costUsd + b.costUsd;
  const byModel = a.byModel === undefined || b.byModel === undefined ? undefined : { ...a.byModel };
  for (const [model, tokens] of Object.entries(byModel === undefined ? {} : b.byModel!))
    byModel![model] = addTokens(byModel![model], tokens)!;
  return { tokens: addTokens(a.tokens, b.tokens), byModel, costUsd };
}

/** The remainder without another agent's part; unknown per model. */
function minus(a: Reading, b: Reading): Reading {
  const costUsd = a.costUsd === undefined || b.costUsd === undefined ? a.costUsd : Math.max(0, a.costUsd - b.costUsd);
  return { tokens: addTokens(a.tokens, b.tokens, -1), costUsd };
}

function addTokens(a: Tokens | undefined, b: Tokens | undefined, sign: 1 | -1 = 1): Tokens | undefined {
  if (a === undefined || b === undefined) return a ?? (sign === 1 ? b : undefined);
  const both = (x = 0, y = 0) => Math.max(0, x + sign * y);
  const either = (name: "cacheRead" | "cacheWrite" | "thought") =>
    a[name] === undefined && b[name] === undefined ? undefined : { [name]: both(a[name], b[name]) };
  return {
    input: both(a.input, b.input),
    output: both(a.output, b.output),
    ...either("cacheRead"),
    ...either("cacheWrite"),
    ...either("thought"),
  };
}
