import { Option } from "commander";
import type { Command } from "commander";
import type { SessionOptions } from "../core/api.ts";
import { continuable } from "../core/continue.ts";
import type { ContinueRule } from "../core/continue.ts";

/** What of `reins run` is about how far a prompt may go, and what follows it by itself. */
export interface RuleOptions {
  readonly maxBudget?: number;
  readonly maxTokens?: number;
  readonly maxTime?: number;
  readonly after?: readonly string[];
  readonly continueOn?: readonly (typeof conditions)[number][];
}

const conditions = ["after_failed", ...continuable] as const;

interface Readers {
  readonly count: (value: string) => number;
  readonly dollars: (value: string) => number;
  readonly collect: (value: string, earlier?: readonly string[]) => readonly string[];
}

export function addRules(command: Command, { count, dollars, collect }: Readers): Command {
  const continueOn = new Option(
    "--continue-on <what>",
    "prompt it again by itself, five times at most; may be repeated",
  );
  // Repeated, each is one of the choices.
  const check = continueOn.choices(conditions).parseArg!;
  continueOn.argParser((value, earlier: readonly string[] | undefined) => {
    check(value, "");
    return collect(value, earlier);
  });
  return command
    .option("--max-budget <usd>", "stop when it has cost this many US dollars", dollars)
    .option("--max-tokens <n>", "stop when it has used this many tokens", count)
    .option("--max-time <seconds>", "stop after this many seconds", count)
    .option("--after <command>", "run this when it is done; no shell; may be repeated", collect)
    .addOption(continueOn);
}

export function rulesOf(options: RuleOptions): Pick<SessionOptions, "budget" | "after" | "continue"> {
  const { maxBudget: usd, maxTokens: tokens, maxTime: seconds } = options;
  const limited = [usd, tokens, seconds].some((limit) => limit !== undefined);
  return {
    budget: limited ? { session: { usd, tokens, seconds } } : undefined,
    after: options.after,
    continue: options.continueOn?.map(ruleOf),
  };
}

function ruleOf(condition: (typeof conditions)[number]): ContinueRule {
  return condition === "after_failed" ? { after: "failed" } : { outcome: condition };
}
