/** Slash commands that an agent offers. Pure. */
export interface Command {
  readonly name: string;
  readonly description?: string | undefined;
}

/** What stands behind the slash so far; undefined where no command is being written. */
export function commandWord(text: string): string | undefined {
  return /^\/(\S*)$/.exec(text)?.[1];
}

const most = 50;

/** Those that begin with it first, then those in which it occurs. */
export function matching(commands: readonly Command[] | undefined, word: string): readonly Command[] {
  const small = word.toLowerCase();
  const found = (commands ?? []).filter(({ name }) => name.toLowerCase().includes(small));
  const first = ({ name }: Command): number => (name.toLowerCase().startsWith(small) ? 0 : 1);
  return found.toSorted((a, b) => first(a) - first(b)).slice(0, most);
}
