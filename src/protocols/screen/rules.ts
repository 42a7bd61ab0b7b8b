/**
 * Describes, as data, how to drive a program that has no structured mode by its screen. Patterns are strings, so that rules can be written
 * in JSON. Each is matched against one line: the cursor's line or a printed line.
 */
import { ReinsError } from "../../events/errors.ts";
import type { Tool } from "../../events/tools.ts";
import { isRecord } from "../json.ts";

export interface ScreenRules {
  /** Size of the terminal. Wide, because some programs wrap lines themselves. */
  readonly columns: number;
  readonly rows: number;
  /** How long the screen must be still before its prompt line counts. */
  readonly quietMs: number;
  /** The prompt line when the program waits for a prompt. */
  readonly ready: string;
  /** The prompt line inside a prompt of several lines. */
  readonly more?: string | undefined;
  readonly input: InputRules;
  /**
   * Questions of the program; the first match counts. A question that matches none keeps the program busy until a person looks (`reins
   * attach`).
   */
  readonly questions: readonly QuestionRule[];
  /** Printed lines that report a failure. The turn has failed when no other line follows them. */
  readonly failures: readonly string[];
  /** Printed lines to hide from the user, also after a failure. */
  readonly ignored: readonly string[];
  /** The key that interrupts the program. */
  readonly interrupt: string;
}

export interface InputRules {
  /** The key that sends a line. */
  readonly submit: string;
  /** The longest line in bytes: a terminal in line mode accepts no more. */
  readonly longestLine: number;
  /** How a prompt of several lines begins and ends. `TAG` is replaced by a word that occurs in no prompt. */
  readonly multiline?: { readonly open: string; readonly close: string } | undefined;
  /**
   * Prompts of one line that must be sent as several lines, because the program would take them for the beginning of a multi-line prompt.
   */
  readonly startsMultiline?: string | undefined;
  /** Prompts that the program would take for a command of its own. */
  readonly command?: string | undefined;
  /** Commands that run nothing and are passed on. Other commands are disarmed by `disarm`, which is put before them. */
  readonly harmlessCommand?: string | undefined;
  readonly disarm?: string | undefined;
}

export interface QuestionRule {
  /** The prompt line. A group `question` is shown instead of the whole line. */
  readonly when: string;
  /** The printed lines right above the question, up to a blank line, say what it is about. */
  readonly subject?: boolean | undefined;
  /**
   * A call that the mode and the rules may allow. Without it the question always goes to a person, whatever the mode, as for trust and
   * updates. The same applies when the subject is not exactly one line, because then it is unclear what would be allowed.
   */
  readonly call?: CallRule | undefined;
  /**
   * The keys to type for yes and no, and the other choices of the question. A choice whose label is not in the prompt line is not offered.
   */
  readonly choices: readonly ChoiceRule[];
}

export interface CallRule {
  readonly tool: Tool;
  /** The input field that the subject fills. */
  readonly field: "path" | "url" | "description";
  /** The lines printed after a yes are the output of this call. */
  readonly output?: boolean | undefined;
}

export interface ChoiceRule {
  /** The label as it appears in the prompt line. */
  readonly sign: string;
  readonly label: string;
  readonly keys: string;
  readonly means?: "yes" | "no" | undefined;
}

type Compiled<Rule, Patterns extends keyof Rule> = Omit<Rule, Patterns> & {
  readonly [Name in Patterns]: Rule[Name] extends readonly string[]
    ? readonly RegExp[]
    : RegExp | Extract<Rule[Name], undefined>;
};

export interface CompiledRules extends Compiled<
  Omit<ScreenRules, "input" | "questions">,
  "ready" | "more" | "failures" | "ignored"
> {
  readonly input: Compiled<InputRules, "startsMultiline" | "command" | "harmlessCommand">;
  readonly questions: readonly Compiled<QuestionRule, "when">[];
}

export type CompiledQuestion = CompiledRules["questions"][number];

/** Throws `invalid_input` for an invalid pattern. */
export function compileRules({ input, questions, ...rules }: ScreenRules): CompiledRules {
  return {
    ...rules,
    ready: pattern(rules.ready),
    more: optional(rules.more),
    failures: rules.failures.map(pattern),
    ignored: rules.ignored.map(pattern),
    input: {
      ...input,
      startsMultiline: optional(input.startsMultiline),
      command: optional(input.command),
      harmlessCommand: optional(input.harmlessCommand),
    },
    questions: questions.map((question) => ({ ...question, when: pattern(question.when) })),
  };
}

/**
 * Applies changes from a file: a field in the file replaces the same field, a list as a whole. Unknown fields and wrong types are refused.
 */
export function changedRules(rules: ScreenRules, changes: unknown, file: string): ScreenRules {
  const refuse = (what: string): never => {
    throw new ReinsError("invalid_input", `The rules in ${file} cannot be used: ${what}.`);
  };
  const merge = <Value extends object>(before: Value, after: unknown, place: string): Value => {
    if (!isRecord(after)) return refuse(`${place || "the file"} is not an object`);
    const known = before as Readonly<Record<string, unknown>>;
    const merged = Object.entries(after).map(([name, value]) => {
      const path = place === "" ? name : `${place}.${name}`;
      const old = known[name];
      if (old === undefined) return refuse(`${path} is unknown`);
      if (Array.isArray(old) ? !Array.isArray(value) : typeof value !== typeof old)
        return refuse(`${path} has the wrong type`);
      return [name, isRecord(old) ? merge(old, value, path) : value] as const;
    });
    return { ...before, ...Object.fromEntries(merged) };
  };
  const merged = merge(rules, changes, "");
  for (const { when, choices } of merged.questions)
    if (typeof when !== "string" || !Array.isArray(choices) || !choices.some(({ means }) => means === "no"))
      refuse("each of its questions needs `when`, and `choices` with one that means no");
  return merged;
}

function pattern(source: string): RegExp {
  try {
    return new RegExp(source, "u");
  } catch (cause) {
    throw new ReinsError(
      "invalid_input",
      `${JSON.stringify(source)} in the rules of a screen is not a valid pattern.`,
      {
        cause,
      },
    );
  }
}

function optional(source: string | undefined): RegExp | undefined {
  return source === undefined ? undefined : pattern(source);
}
