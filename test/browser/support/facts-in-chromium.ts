/** Facts as in facts-in-text.ts, read from Chromium by functions that run in the page as text. */
import type { ShownFacts } from "./facts-in-text.ts";
import type { Page } from "playwright-core";

const shared = `
  const facts = [];
  const diff = [];
  const words = (element) => (element?.innerText ?? "").trim().replace(/\\s+/g, " ");
  const lower = (text) => text.charAt(0).toLowerCase() + text.slice(1);
  const upper = (text) => text.charAt(0).toUpperCase() + text.slice(1);
  const end = (text) => text.replace(/(?:^| · )[0-9.]+ (?:ms|s)$/, "");
  const call = (indent, title, bad, how) => facts.push(indent + "tool: " + title + (bad ? " · " + end(how) : ""));
  const plan = (indent, entries) => {
    const done = entries.filter(([state]) => state === "done").length;
    const now = entries.find(([state]) => state === "now")?.[1];
    facts.push(indent + "plan: " + done + " of " + entries.length + " done" + (now === undefined ? "" : ", now " + now));
  };
`;

const exported = `(() => {
  ${shared}
  const change = (element, indent) => {
    facts.push(indent + "  " + words(element.querySelector("bdi")));
    for (const line of element.querySelectorAll(".diff span")) if (line.className !== "hunk") diff.push(line.textContent);
  };
  const tool = (element, indent) => {
    const [head, inside] = [element.querySelector("summary") ?? element, element.querySelector(":scope > .inside")];
    const bad = head.querySelector(".bad") !== null;
    call(indent, words(head.querySelector("bdi")), bad, words(head.querySelector(".more")));
    for (const child of inside?.children ?? []) walk(child, indent + "  ");
  };
  const line = (text, indent) => {
    const rest = text.slice(2).replace(/^Allow: /, "");
    facts.push(indent + (text.startsWith("? ") ? "asked: " + rest : "note: " + upper(rest)));
  };
  const walk = (element, indent) => {
    const is = (selector) => element.matches(selector);
    if (is(".you")) facts.push(indent + "you: " + words(element.querySelector(".said")));
    else if (is(".thought")) facts.push(indent + "thought: " + words(element.querySelector(".inside")));
    else if (is(".answer")) facts.push(indent + "said: " + words(element));
    else if (is(".plan"))
      plan(indent, [...element.children].map((each) => [each.className, words(each).slice(2)]));
    else if (is("p.end")) facts.push("end: " + words(element));
    else if (is("details, p.line") && words(element).startsWith("±")) change(element, indent);
    else if (is("details") || (is("p.line") && element.querySelector("bdi") !== null)) tool(element, indent);
    else if (is("p.line")) line(words(element), indent);
    else if (is("main, section, .agent")) for (const child of element.children) walk(child, indent);
  };
  for (const folded of document.querySelectorAll("details")) folded.open = true;
  walk(document.querySelector("main"), "");
  return { facts, diff };
})()`;

const shown = `(() => {
  ${shared}
  const change = (element, indent, summary = words(element.querySelector(".tool-title"))) => {
    facts.push(indent + "  " + lower(summary));
    for (const line of element.querySelectorAll(".diff-line:not(.gap)"))
      diff.push((line.querySelector(".diff-sign").textContent || " ").replace("−", "-") + line.querySelector("code").textContent);
  };
  const tool = (element, indent) => {
    const head = element.querySelector(".disclosure-button");
    // Where the title of a call names the file, nothing says it again.
    const changed = () => "changed " + words(head.querySelector(".tool-title")).replace(/^\\S+ /, "") + " (" + words(head.querySelector(".counts")) + ")";
    call(indent, words(head.querySelector(".tool-title")), element.matches(".bad"), words(head.querySelector(".tool-words")));
    for (const child of element.querySelector(".tool-inside")?.children ?? [])
      if (child.matches(".nested")) for (const each of child.children) walk(each, indent + "  ");
      else if (child.matches(".file-change")) change(child, indent);
      else if (child.matches(".diff")) change(child, indent, changed());
  };
  const walk = (element, indent) => {
    const is = (selector) => element.matches(selector);
    if (is(".prompt")) facts.push(indent + "you: " + words(element.querySelector(".prompt-text")));
    else if (is(".thought")) facts.push(indent + "thought: " + words(element.querySelector(".disclosure-body")));
    else if (is("article.message")) facts.push(indent + "said: " + words(element));
    else if (is(".tool")) tool(element, indent);
    else if (is(".file-change")) change(element, indent);
    else if (is(".plan"))
      plan(indent, [...element.querySelectorAll("li")].map((each) => [each.querySelector("[role=img]").ariaLabel, words(each)]));
    else if (is("p.line"))
      facts.push(indent + (element.closest(".row-permission, .row-question") ? "asked: " : "note: ") + words(element));
    else if (is(".turn-foot")) {
      const error = element.parentElement.querySelector(".turn-error p");
      facts.push("end: " + lower(words(element)) + (error === null ? "" : ": " + words(error)));
    } else for (const child of element.children) walk(child, indent);
  };
  walk(document.querySelector("[role=log]"), "");
  return { facts, diff };
})()`;

/** Facts of the HTML export, which is shown without a server. */
export const toldByExport = (page: Page): Promise<ShownFacts> => page.evaluate(exported);

/** Facts of the page, fully unfolded. */
export const toldByPage = (page: Page): Promise<ShownFacts> => page.evaluate(shown);
