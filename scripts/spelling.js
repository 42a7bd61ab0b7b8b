/**
 * Checks the spelling of documentation, comments and user-visible strings, in British English. Part of `npm run check`.
 * Names and terms that no dictionary has are in scripts/spelling-words.txt, one a line, in alphabetical order.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import dictionary from "dictionary-en-gb";
import nspell from "nspell";
import { root } from "./lib/command.js";
import { filesUnder } from "./lib/files.js";
import { markdownPages } from "./lib/links.ts";
import { proseOfPage, proseOfSource, wordsOf } from "./lib/spelling.ts";

const read = (file) => readFileSync(join(root, file), "utf8");
const own = new Set(read("scripts/spelling-words.txt").trim().split("\n"));
const spell = nspell(dictionary);
const known = new Map();
function isKnown(word) {
  if (!known.has(word)) known.set(word, own.has(word) || own.has(word.toLowerCase()) || spell.correct(word));
  return known.get(word);
}

const sources = filesUnder("src", "test", "scripts", "bench", "examples").filter(
  (file) => /(?<!\.d)\.[jt]sx?$/.test(file) && !/\/fixtures?\//.test(file),
);
const texts = [
  ...markdownPages(root).map((file) => ({ file, prose: proseOfPage(read(file)) })),
  ...sources.map((file) => ({ file, prose: proseOfSource(file, read(file)) })),
];
for (const { file, prose } of texts)
  for (const { line, text } of prose)
    for (const word of new Set(wordsOf(text)))
      if (!isKnown(word)) {
        console.log(`${file}:${line}: "${word}" is not in the dictionary`);
        process.exitCode = 1;
      }
