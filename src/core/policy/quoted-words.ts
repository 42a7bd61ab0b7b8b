/** Words as a command line that reads back as just these. */
export function quotedWords(words: readonly string[]): string {
  return words.map((word) => (/^[\w%+,./:@^-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`)).join(" ");
}
