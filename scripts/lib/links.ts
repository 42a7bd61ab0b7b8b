/** Links of Markdown pages to files, folders and headings of the repository. Addresses of the web are not looked at. */
import { existsSync, globSync, readFileSync, statSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import MarkdownIt from "markdown-it";

const markdown = new MarkdownIt({ html: true });
type Token = ReturnType<typeof markdown.parse>[number];

/** Every Markdown page that people read; those in fixtures are data. */
export function markdownPages(root: string): string[] {
  return globSync(["*.md", "{.github,docs,src,test,bench,examples,scripts}/**/*.md"], { cwd: root })
    .filter((file) => !/(?:^|\/)fixtures?\//.test(file))
    .sort();
}

export interface BrokenLink {
  readonly line: number;
  readonly link: string;
  readonly why: string;
}

/** The links of a page that lead nowhere. `page` is relative to `root`. */
export function brokenLinks(root: string, page: string): BrokenLink[] {
  return linksIn(readFileSync(join(root, page), "utf8")).flatMap(({ line, link }) => {
    const why = problemOf(root, page, link);
    return why === undefined ? [] : [{ line, link, why }];
  });
}

function problemOf(root: string, page: string, link: string): string | undefined {
  if (/^[a-z][\w+.-]*:/i.test(link)) return undefined;
  const [path = "", anchor] = link.split("#", 2).map(decodeURIComponent);
  const file = path === "" ? page : normalize(join(dirname(page), path));
  if (file.startsWith("..")) return "it leads out of the repository";
  if (!existsSync(join(root, file))) return `there is no ${file}`;
  if (anchor === undefined || !file.endsWith(".md")) return undefined;
  if (statSync(join(root, file)).isDirectory()) return undefined;
  return anchorsOf(readFileSync(join(root, file), "utf8")).has(anchor)
    ? undefined
    : `${file} has no heading #${anchor}`;
}

function linksIn(text: string): { readonly line: number; readonly link: string }[] {
  const links: { line: number; link: string }[] = [];
  let line = 1;
  const visit = (tokens: readonly Token[]): void => {
    for (const token of tokens) {
      if (token.map !== null) line = token.map[0] + 1;
      const link = token.attrGet("href") ?? token.attrGet("src");
      if (link !== null) links.push({ line, link: String(link) });
      if (token.type === "html_inline" || token.type === "html_block")
        for (const [, found] of token.content.matchAll(/\b(?:href|src)="([^"]+)"/g))
          links.push({ line, link: found ?? "" });
      if (token.children !== null) visit(token.children);
    }
  };
  visit(markdown.parse(text, {}));
  return links;
}

const known = new Map<string, Set<string>>();

/** The anchors that GitHub gives to the headings of a page, and those that the page sets itself. */
function anchorsOf(text: string): Set<string> {
  const before = known.get(text);
  if (before !== undefined) return before;
  const anchors = new Set([...text.matchAll(/\b(?:id|name)="([^"]+)"/g)].map(([, id]) => id ?? ""));
  const tokens = markdown.parse(text, {});
  tokens.forEach((token, at) => {
    if (token.type !== "heading_open") return;
    const title = (tokens[at + 1]?.children ?? []).map(({ content }) => content).join("");
    const slug = title
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, "")
      .replaceAll(" ", "-");
    let anchor = slug;
    for (let number = 1; anchors.has(anchor); number += 1) anchor = `${slug}-${number}`;
    anchors.add(anchor);
  });
  known.set(text, anchors);
  return anchors;
}
