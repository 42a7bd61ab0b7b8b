/** Command lines of the documentation as words, without running a shell. */

/** The words of one line, without quotes; a comment ends it. */
export function wordsOf(line: string): string[] {
  const words: string[] = [];
  for (const [, double, single, plain] of line.matchAll(/"((?:\\.|[^"\\])*)"|'([^']*)'|(\S+)/g)) {
    if (plain?.startsWith("#") === true) break;
    words.push(double?.replaceAll(/\\(.)/g, "$1") ?? single ?? plain ?? "");
  }
  return words;
}

/** The commands of one line, split at pipes and `&&`, without variables before them and without redirections. */
export function commandsIn(line: string): string[][] {
  const commands: string[][] = [[]];
  for (const word of wordsOf(line))
    if (word === "|" || word === "&&") commands.push([]);
    else commands.at(-1)?.push(word);
  return commands
    .map((words) => words.slice(words.findIndex((word) => !/^[A-Z][A-Z0-9_]*=/.test(word))))
    .map((words) => {
      const redirection = words.findIndex((word) => word === "<" || word === ">");
      return redirection < 0 ? words : words.slice(0, redirection);
    })
    .filter((words) => words.length > 0);
}
