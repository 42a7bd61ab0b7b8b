/**
 * Tokens (law 8). Each thread tells its total since it began, over all its processes, and what the last request used. A turn is what the
 * totals grew by in it, that of the subagents' threads too. The session's total is known only where this process saw all of it.
 */
import type { AgentEvent, Tokens } from "../../events/types.ts";
import { number, record } from "../../drivers/stream-json/read.ts";
import type { Wire } from "../../drivers/stream-json/read.ts";

const none: Tokens = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };

export class Usage {
  readonly #totals = new Map<string, Tokens>();
  /** Undefined for a conversation that began elsewhere. */
  #session: Tokens | undefined;
  #turn: Tokens = none;
  #context: { used: number; size?: number } | undefined;

  constructor(fresh: boolean) {
    if (!fresh) return;
    this.#session = none;
    this.#totals.set("main", none);
  }

  /** `running`: in a turn. Before the first one it is what an earlier process used. */
  read(threadId: string, usage: Wire, running: boolean): void {
    const total = tokensOf(record(usage["total"]));
    const before = this.#totals.get(threadId) ?? (threadId === "main" ? undefined : none);
    this.#totals.set(threadId, total);
    if (threadId === "main") this.#context = contextOf(usage);
    if (!running) return;
    const grown = before === undefined ? tokensOf(record(usage["last"])) : difference(total, before);
    this.#turn = sum(this.#turn, grown);
    if (this.#session !== undefined) this.#session = sum(this.#session, grown);
  }

  /** Nothing where no request was answered: that is not the same as having used nothing. */
  turnEnded(): { readonly tokens: Tokens | undefined; readonly events: AgentEvent[] } {
    const tokens = this.#turn;
    this.#turn = none;
    if (tokens.input + tokens.output + (tokens.cacheRead ?? 0) === 0) return { tokens: undefined, events: [] };
    const context = this.#context;
    const events: AgentEvent[] = [{ type: "usage.updated", scope: "turn", tokens, context }];
    if (this.#session !== undefined)
      events.push({ type: "usage.updated", scope: "session", tokens: this.#session, context });
    return { tokens, events };
  }
}

function contextOf(usage: Wire): { used: number; size?: number } | undefined {
  const used = number(record(usage["last"])["totalTokens"]);
  const size = number(usage["modelContextWindow"]);
  if (used === undefined) return undefined;
  return size === undefined ? { used } : { used, size };
}

/** What came from the cache, or went there, is counted among its input tokens. */
function tokensOf(from: Wire): Tokens {
  const [input, output, cacheRead, cacheWrite, thought] = [
    "inputTokens",
    "outputTokens",
    "cachedInputTokens",
    "cacheWriteInputTokens",
    "reasoningOutputTokens",
  ].map((name) => Math.max(0, number(from[name]) ?? 0)) as [number, number, number, number, number];
  const tokens: Tokens = { input: Math.max(0, input - cacheRead - cacheWrite), output, cacheRead, cacheWrite };
  if (thought > 0) tokens.thought = Math.min(thought, output);
  return tokens;
}

const combined =
  (combine: (one: number, other: number) => number) =>
  (one: Tokens, other: Tokens): Tokens => {
    const tokens: Tokens = {
      input: combine(one.input, other.input),
      output: combine(one.output, other.output),
      cacheRead: combine(one.cacheRead ?? 0, other.cacheRead ?? 0),
      cacheWrite: combine(one.cacheWrite ?? 0, other.cacheWrite ?? 0),
    };
    const thought = combine(one.thought ?? 0, other.thought ?? 0);
    if (thought > 0) tokens.thought = Math.min(thought, tokens.output);
    return tokens;
  };

const sum = combined((one, other) => one + other);
/** A total that fell was counted anew. */
const difference = combined((one, other) => (one < other ? one : one - other));
