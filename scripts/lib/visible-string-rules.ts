/**
 * Where a person-visible string stands in the code. `npm run words` lists what these rules find.
 * A string that no rule names and that reads like a sentence is listed as `text`, unless `notVisible` leaves it out.
 */

export type Kind = "error" | "help" | "notice" | "command" | "output" | "label" | "api" | "text";

interface CallRule {
  readonly kind: Kind;
  /** Names of functions, methods and classes. */
  readonly names: string;
  /** Which arguments are shown; all of them when not given. */
  readonly args?: readonly number[];
}

export const calls: readonly CallRule[] = [
  { kind: "error", names: "ReinsError cloudError cursorError exitedError", args: [1] },
  { kind: "error", names: "HttpError", args: [2, 3] },
  { kind: "error", names: "Error ToolProblem refuse refused invalid unsupported fail deny" },
  { kind: "error", names: "refine superRefine", args: [1] },
  { kind: "notice", names: "notice warn #notice startNotice" },
  { kind: "command", names: "description modeOption", args: [0] },
  { kind: "command", names: "option argument numberOption add", args: [1] },
  { kind: "command", names: "addCommand", args: [2] },
  { kind: "output", names: "say line writeOut flash toast dim bold accent withStatus print" },
  { kind: "api", names: "describe meta gauge counter", args: [0, 1] },
  { kind: "label", names: "picker field tip row flag about" },
];

/** Names of properties in object literals. */
export const properties: Readonly<Record<string, Kind>> = {
  message: "error",
  meaning: "error",
  help: "help",
  instead: "help",
  installHelp: "help",
  summary: "api",
  description: "label",
  label: "label",
  title: "label",
  hint: "label",
  placeholder: "label",
  words: "label",
  purpose: "label",
};

/** Attributes of JSX elements. Text between tags is always a label. */
export const attributes: readonly string[] = [
  ...["label", "title", "placeholder", "aria-label", "aria-description", "alt", "summary", "words", "does", "text"],
  ...["name", "empty", "hint", "description", "tip", "data-tip"],
];

/** Sentences that no user of Reins reads. */
export const notVisible = {
  files: [
    // Texts of scripted models and of the agents that tests point at them.
    /^src\/testing\//,
    /\/proof\.ts$/,
    // Names of models, tools, fields, programs and languages.
    /\.generated\.ts$/,
    /^src\/(?:agents\/models|agents\/shared\/cursor\/tools|events\/aliases|events\/canonical-input)\.ts$/,
    /^src\/(?:core\/policy\/shell\/wrappers|view\/highlight\/index)\.ts$/,
  ],
  /** Calls whose strings are SQL, lists of identifiers, patterns or needles. */
  calls:
    "sql prepare exec run row rows find all get words includes startsWith endsWith indexOf split has question match test",
  attributes: "className class d style id role type href rel target",
  /** SQL, CSS and shell text that is kept in constants. */
  texts: [
    /\b(?:SELECT|INSERT INTO|UPDATE|DELETE FROM|CREATE (?:TABLE|INDEX|VIRTUAL|TRIGGER)|PRAGMA|ALTER TABLE|WHERE|ORDER BY|LEFT JOIN)\b/,
    /[{;]\s*[\w-]+:\s*[^;{}]+;/,
  ],
} as const;
