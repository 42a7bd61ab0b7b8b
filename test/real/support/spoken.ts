/** The scripted model's scenarios in plain words, for a live model. */
import { NotProvable } from "../../../src/testing/contract/check.ts";
import type { Play } from "../../../src/testing/contract/types.ts";

const thenSay = "Then say in one sentence that it is done, and do nothing else.";
const run = (command: string): string => `Run exactly this command, once, and nothing else: ${command}\n${thenSay}`;

const words: Readonly<Record<string, (arg: string | undefined) => string>> = {
  text: () => "Reply with exactly these words and nothing else: Hello from the scripted model.",
  echo: (arg = "hello") => `Reply with exactly this and nothing else: ${arg}`,
  read: (arg = "hello.txt") => `Read the file ${arg}, and say in one sentence what it says.`,
  write: (arg = "hello.txt") =>
    `Write a file ${arg} with exactly one line in it: hello world. Use your tool for files and no command. ${thenSay}`,
  edit: (arg = "hello.txt") =>
    `Read ${arg}, then change the word hello into goodbye in it with your tool for editing. ${thenSay}`,
  delete: (arg = "hello.txt") => `Delete the file ${arg} with your tool for deleting and no command. ${thenSay}`,
  shell: (arg = "echo hi") => run(arg),
  "long-shell": (arg = "tail -f /dev/null") => run(arg),
  "failing-tool": () => run("mkdir no-such-folder/inside"),
};

export function spoken({ name, arg }: Play): string {
  const said = words[name]?.(arg);
  if (said === undefined) throw new NotProvable(`Nobody can make a live model do “${name}” by words alone.`);
  return said;
}
