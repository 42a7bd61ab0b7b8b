/** The three things that every first screen offers: the terminal interface, plain mode, the page, `reins --help` and `npm start`. */

export interface FirstStep {
  readonly title: string;
  /** The slash command that does it, in the terminal and in the page. */
  readonly command: string;
  /** The same for a shell. */
  readonly shell: string;
}

export const firstSteps: readonly FirstStep[] = [
  { title: "Try the demo agent", command: "/agent demo", shell: "reins tour" },
  { title: "Choose an agent", command: "/agent", shell: "reins agents" },
  { title: "See commands and shortcuts", command: "/help", shell: "reins help <command>" },
];

/** One line for each step: its title, and the command in a column. */
export function firstStepLines(kind: "command" | "shell"): readonly string[] {
  const width = Math.max(...firstSteps.map(({ title }) => title.length));
  return firstSteps.map((step) => `${step.title.padEnd(width)}  ${step[kind]}`);
}

/** All steps in one line, such as for the output of `npm start`. */
export const firstStepWords: string = firstSteps
  .map(({ title, command }) => `${title[0]?.toLowerCase()}${title.slice(1)} (${command})`)
  .join(", ");
