import type { EventOf, Tokens } from "../types.ts";
import type { CreateLaw } from "./law.ts";

interface Reading {
  readonly tokens: Tokens;
  readonly costUsd?: number | undefined;
}

const amounts = ["input", "output", "cacheRead", "cacheWrite", "thought"] as const satisfies readonly (keyof Tokens)[];
const nothing: Reading = { tokens: { input: 0, output: 0 }, costUsd: 0 };
/** Tolerance for rounding by agents: half a token, a hundredth of a cent. */
const rounding = { tokens: 0.5, costUsd: 0.0001 };

/**
 * Law 8: amounts are finite and not negative; `output` includes `thought`; totals of a scope never decrease; totals
 * of a turn are reported inside the turn; a turn adds to the session exactly what it used. The last part is checked
 * only when the session total is known before the turn (or the session is new) and was reported in the turn.
 * Events cannot show whether `input` excludes cached tokens.
 */
export const usage: CreateLaw = (report) => {
  let session: Reading | undefined;
  /** Session totals before the turn, when known. */
  let baseline: Reading | undefined;
  let legs = 0;
  let turn: { reading: Reading | undefined; sessionRead: boolean } | undefined;

  const sane = (seq: number, { tokens, costUsd }: Reading): void => {
    for (const amount of [...amounts.map((name) => tokens[name]), costUsd]) {
      if (amount !== undefined && !(amount >= 0 && amount < Infinity)) report(seq, `${amount} is not a valid amount`);
    }
    if ((tokens.thought ?? 0) > tokens.output) report(seq, "thought is more than output");
  };

  const fell = (seq: number, scope: string, before: Reading | undefined, now: Reading): void => {
    for (const name of amounts) {
      if ((before?.tokens[name] ?? 0) > (now.tokens[name] ?? Infinity)) report(seq, `${name} of the ${scope} fell`);
    }
    if ((before?.costUsd ?? 0) > (now.costUsd ?? Infinity)) report(seq, `the cost of the ${scope} fell`);
  };

  const updated = (event: EventOf<"usage.updated">): void => {
    const { seq, scope, tokens, costUsd, context, parent } = event;
    if (tokens === undefined && costUsd === undefined && context === undefined) report(seq, "usage without figures");
    sane(seq, { tokens: tokens ?? nothing.tokens, costUsd });
    // The totals of the turn and session already include a subagent's usage.
    if (parent !== undefined) return;
    if (scope === "turn" && turn === undefined) return report(seq, "the usage of a turn is outside a turn");
    const before = scope === "session" ? session : turn?.reading;
    const now: Reading =
      tokens === undefined
        ? { tokens: before?.tokens ?? nothing.tokens, costUsd: costUsd ?? before?.costUsd }
        : { tokens, costUsd };
    fell(seq, scope, before, now);
    if (scope === "turn" && turn !== undefined) turn.reading = now;
    if (scope === "session") {
      session = now;
      if (tokens === undefined) return;
      if (turn === undefined) baseline = now;
      else turn.sessionRead = true;
    }
  };

  const completed = (event: EventOf<"turn.completed">): void => {
    const read = turn?.sessionRead === true ? session : undefined;
    if (event.usage !== undefined) {
      const used: Reading = { tokens: event.usage, costUsd: event.costUsd };
      sane(event.seq, used);
      fell(event.seq, "turn", turn?.reading, used);
      if (baseline !== undefined && read !== undefined) addsUp(event.seq, baseline, used, read);
    }
    baseline = read;
    turn = undefined;
  };

  const addsUp = (seq: number, before: Reading, used: Reading, after: Reading): void => {
    for (const name of ["input", "output"] as const) {
      const difference = before.tokens[name] + used.tokens[name] - after.tokens[name];
      if (Math.abs(difference) > rounding.tokens) report(seq, `${name} of the turns does not add up to the session`);
    }
    if (before.costUsd === undefined || used.costUsd === undefined || after.costUsd === undefined) return;
    const difference = before.costUsd + used.costUsd - after.costUsd;
    if (Math.abs(difference) > rounding.costUsd) report(seq, "the cost of the turns does not add up to the session");
  };

  return {
    push(event) {
      switch (event.type) {
        case "session.started":
          // Only a fresh first leg starts at zero.
          baseline = ++legs === 1 && !event.resumed ? nothing : undefined;
          return;
        case "turn.started":
          turn = { reading: undefined, sessionRead: false };
          return;
        case "usage.updated":
          return updated(event);
        case "turn.completed":
          return completed(event);
        default:
      }
    },
  };
};
