/** Checks that every relative link in the Markdown pages leads to a file and a heading that exist. Part of `npm run check`. */
import { root } from "./lib/command.js";
import { brokenLinks, markdownPages } from "./lib/links.ts";

for (const page of markdownPages(root))
  for (const { line, link, why } of brokenLinks(root, page)) {
    console.log(`${page}:${line}: the link ${link} is broken: ${why}`);
    process.exitCode = 1;
  }
