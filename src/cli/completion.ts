import type { Command } from "commander";
import { ReinsError } from "../events/errors.ts";
import { completedOf } from "./completion-words.ts";
import type { Asked } from "./completion-words.ts";
import { writeOut } from "./screen.ts";

export const shells = ["bash", "zsh", "fish"] as const;
export type Shell = (typeof shells)[number];

/** `reins completion`: the script of a shell, or, asked by such a script, the names that there are now. */
export async function completion(program: Command, shell: Shell | undefined, values: Asked | undefined): Promise<void> {
  if (values !== undefined) {
    const { valuesOf } = await import("./completion-values.ts");
    // A name that a shell could take for something else is left out.
    const names = (await valuesOf(values)).filter((name) => /^[\w.:@/+-]+$/.test(name));
    return writeOut([...new Set(names)].map((name) => `${name}\n`).join(""));
  }
  if (shell === undefined)
    throw new ReinsError("invalid_input", "The name of a shell is missing.", {
      help: `Choose one of ${shells.join(", ")}: \`reins completion bash\`.`,
    });
  return writeOut(await scriptOf(program, shell));
}

export async function scriptOf(program: Command, shell: Shell): Promise<string> {
  const all = completedOf(program);
  switch (shell) {
    case "bash":
      return (await import("./completion-bash.ts")).bashScript(all);
    case "zsh":
      return (await import("./completion-zsh.ts")).zshScript(all);
    case "fish":
      return (await import("./completion-fish.ts")).fishScript(all);
  }
}
