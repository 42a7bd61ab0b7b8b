/** Limits on spending per turn, session and day: the figures, how several settings combine, and which limits are reached. */
import { ReinsError } from "../../events/errors.ts";

/** Amounts: limits, or what was spent. Missing means no limit. */
export interface Figures {
  readonly tokens?: number | undefined;
  readonly usd?: number | undefined;
  /** Seconds that turns took, on a monotonic clock. */
  readonly seconds?: number | undefined;
  readonly turns?: number | undefined;
}

export const budgetScopes = ["turn", "session", "day"] as const;
/** The period that a limit applies to. */
export type BudgetScope = (typeof budgetScopes)[number];

/** Limits on spending: `{ session: { usd: 5 }, day: { tokens: 1_000_000 } }`. */
export type Budget = { readonly [Scope in BudgetScope]?: Figures | undefined };

export type Spent = Required<{ [Name in keyof Figures]: number }>;

export const nothingSpent: Spent = { tokens: 0, usd: 0, seconds: 0, turns: 0 };

export const figureNames = ["tokens", "usd", "seconds", "turns"] as const satisfies readonly (keyof Figures)[];

/** Rejects limits that are not positive numbers: they would limit nothing, unnoticed. */
export function refuseNoAmount(budget: Budget | undefined): void {
  for (const scope of budgetScopes)
    for (const name of figureNames) {
      const limit = budget?.[scope]?.[name];
      if (limit === undefined || limit > 0) continue;
      throw new ReinsError(
        "invalid_input",
        `The budget ${scope}.${name} must be more than 0, and is ${String(limit)}.`,
      );
    }
}

/** A project may set or lower a limit. When it asks for more than the user allows, the user's limit applies. */
export function lowered(
  person: Budget | undefined,
  project: Budget | undefined,
): { value: Budget | undefined; higher: readonly string[] } {
  const higher: string[] = [];
  const value = together(person, project, (mine, theirs, key) => {
    if (mine !== undefined && theirs !== undefined && theirs > mine) higher.push(key);
    return mine === undefined || theirs === undefined ? (theirs ?? mine) : Math.min(mine, theirs);
  });
  return { value, higher };
}

/** The caller's figures override the configured ones, one by one. */
export function budgetOver(configured: Budget | undefined, called: Budget | undefined): Budget | undefined {
  return together(configured, called, (usual, wanted) => wanted ?? usual);
}

function together(
  one: Budget | undefined,
  other: Budget | undefined,
  choose: (one: number | undefined, other: number | undefined, key: string) => number | undefined,
): Budget | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  const scopes = budgetScopes.map((scope) => {
    const figures = figureNames
      .map((name) => [name, choose(one[scope]?.[name], other[scope]?.[name], `${scope}.${name}`)] as const)
      .filter(([, figure]) => figure !== undefined);
    return [scope, Object.fromEntries(figures)] as const;
  });
  return Object.fromEntries(scopes.filter(([, figures]) => Object.keys(figures).length > 0));
}

export function isLimited(budget: Budget): boolean {
  return budgetScopes.some((scope) => figureNames.some((name) => budget[scope]?.[name] !== undefined));
}

export interface Reached {
  readonly scope: BudgetScope;
  readonly name: keyof Figures;
  readonly limit: number;
  readonly spent: number;
}

export function reached(
  budget: Budget,
  spent: Readonly<Record<BudgetScope, Spent>>,
  share: number,
): readonly Reached[] {
  return budgetScopes.flatMap((scope) =>
    figureNames.flatMap((name) => {
      const limit = budget[scope]?.[name];
      const gone = spent[scope][name];
      return limit !== undefined && gone >= limit * share ? [{ scope, name, limit, spent: gone }] : [];
    }),
  );
}

const units = { tokens: "tokens", usd: "US dollars", seconds: "seconds", turns: "turns" } as const;

/** Formats an amount: "41,000 of 50,000 tokens for this session". */
export function amountOf({ scope, name, limit, spent }: Reached): string {
  const whose = scope === "day" ? "today" : `for this ${scope}`;
  return `${shown(spent)} of ${shown(limit)} ${units[name]} ${whose}`;
}

function shown(value: number): string {
  return value.toLocaleString("en-US", { maximumFractionDigits: value < 10 ? 4 : 1 });
}
