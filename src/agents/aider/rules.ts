/**
 * The texts of Aider's screen as data: from its documentation and source (0.86), with `--no-fancy-input`, where it
 * reads plain lines. Not verified on the real program. A JSON file named by REINS_AIDER_RULES changes them.
 */
import type { ChoiceRule, QuestionRule, ScreenRules } from "../../protocols/screen/rules.ts";

const choices: readonly ChoiceRule[] = [
  { sign: "(Y)es", label: "Yes", keys: "y", means: "yes" },
  { sign: "(N)o", label: "No", keys: "n", means: "no" },
  { sign: "(A)ll", label: "Yes to all", keys: "a" },
  { sign: "(S)kip all", label: "Skip all", keys: "s" },
  { sign: "(D)on't ask again", label: "Don't ask again", keys: "d" },
];

/** Every confirmation of Aider ends with its choices and the default. */
const confirm = (words: string): string => `^(?<question>${words}) \\(Y\\)es/\\(N\\)o.*\\[\\w+\\]: $`;

const question = (words: string, rule: Partial<QuestionRule> = {}): QuestionRule => ({
  when: confirm(words),
  subject: true,
  choices,
  ...rule,
});

export const rules: ScreenRules = {
  columns: 400,
  rows: 50,
  quietMs: 250,
  ready: "^(?:(?:ask|architect|code|context|help|diff|whole|udiff)(?: multi)?|multi)?> $",
  more: "^\\. $",
  input: {
    submit: "\r",
    // A terminal in line mode keeps at most 4,096 bytes of a line.
    longestLine: 4_000,
    multiline: { open: "{TAG", close: "TAG}" },
    startsMultiline: "^\\{",
    // `!` and several `/` commands run programs without a question.
    command: "^[/!]",
    harmlessCommand:
      "^/(?:add|drop|clear|reset|tokens|ls|map|diff|ask|code|architect|help|settings|models|model)(?:\\s|$)",
    disarm: " ",
  },
  questions: [
    // The screen may cut the text of a shell command, so it is no `shell` call: no rule about commands may allow it.
    question("Run shell commands?\\?", { call: { tool: "other", field: "description", output: true } }),
    question("Create new file\\?", { call: { tool: "write", field: "path" } }),
    question("Allow edits to file that has not been added to the chat\\?", { call: { tool: "edit", field: "path" } }),
    question("Add file to the chat\\?", { call: { tool: "read", field: "path" } }),
    question("Add URL to the chat\\?", { call: { tool: "web_fetch", field: "url" } }),
    // Updates, .gitignore, a new repository, release notes, and everything else: only a person answers.
    question(".+\\?"),
  ],
  failures: ["^(?:litellm\\.\\w+(?:Error|Exception)\\b|API Error\\b|\\w*Error: )"],
  ignored: ["^Retrying in [\\d.]+ seconds", "^\\^C again to exit"],
  interrupt: "\x03",
};
