/** A command as its model wrote it: Codex tells it wrapped, `/bin/bash -lc 'npm test'`. */
export function unwrapped(command: string): string {
  const inner = /^(?:\S*\/)?(?:ba|z|da|k|fi)?sh -l?c ([\s\S]+)$/.exec(command)?.[1];
  return inner === undefined ? command : (unquoted(inner) ?? command);
}

/** One shell word without its quotes; undefined where it is more than one. */
function unquoted(word: string): string | undefined {
  let plain = "";
  let rest = word;
  while (rest !== "") {
    const [part, single, double, escaped, bare] =
      /^(?:'([^']*)'|"((?:[^"\\$`]|\\["\\$`])*)"|\\([\s\S])|([^\s'"\\]+))/.exec(rest) ?? [];
    if (part === undefined) return undefined;
    plain += single ?? double?.replaceAll(/\\(["\\$`])/g, "$1") ?? escaped ?? bare ?? "";
    rest = rest.slice(part.length);
  }
  return plain;
}
