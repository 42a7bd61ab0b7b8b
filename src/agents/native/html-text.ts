/** A page as its words: no scripts, no styles, no tags. Every step goes through the text once, whatever the page is made of. */

const silent = new Set(["script", "style", "noscript", "template", "svg", "head"]);
const blocks = new Set([
  "p",
  "div",
  "br",
  "li",
  "tr",
  "ul",
  "ol",
  "table",
  "section",
  "article",
  "pre",
  "h1",
  "h2",
  "h3",
  "h4",
  "h5",
  "h6",
]);

export function textOfHtml(html: string): string {
  let text = "";
  let at = 0;
  while (at < html.length) {
    const tag = html.indexOf("<", at);
    if (tag === -1) return tidy(text + html.slice(at));
    text += html.slice(at, tag);
    if (html.startsWith("<!--", tag)) at = after(html, "-->", tag);
    else {
      const end = after(html, ">", tag);
      const name = /^[a-z]\w*/i.exec(html.slice(tag + 1, tag + 20).replace(/^\//, ""))?.[0].toLowerCase() ?? "";
      if (blocks.has(name)) text += "\n";
      at = silent.has(name) && html[tag + 1] !== "/" ? endOf(html, name, end) : end;
    }
  }
  return tidy(text);
}

/** Where what stands between the tags of this name ends. */
function endOf(html: string, name: string, from: number): number {
  for (let at = html.indexOf("</", from); at !== -1; at = html.indexOf("</", at + 2))
    if (html.slice(at + 2, at + 2 + name.length).toLowerCase() === name) return after(html, ">", at);
  return html.length;
}

function after(html: string, mark: string, from: number): number {
  const found = html.indexOf(mark, from);
  return found === -1 ? html.length : found + mark.length;
}

const entities: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'", nbsp: " " };

function tidy(text: string): string {
  return text
    .replace(/&(#x?[0-9a-f]{1,6}|[a-z]{2,6});/gi, (whole, name: string) => {
      if (!name.startsWith("#")) return entities[name.toLowerCase()] ?? whole;
      const code = /^#x/i.test(name) ? parseInt(name.slice(2), 16) : parseInt(name.slice(1), 10);
      return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole;
    })
    .split("\n")
    .map((line) => line.replace(/[ \t\r\f]+/g, " ").trim())
    .join("\n")
    .replace(/\n{3,}/g, "\n\n")
    .trim();
}
