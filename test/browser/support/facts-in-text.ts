/** Reads a rendering for a terminal or a file as a list of facts: one line each, with the content of a call indented below it. */

export interface ShownFacts {
  readonly facts: string[];
  readonly diff: string[];
}

const endings = /^(?:done|cancelled|failed|refused|interrupted) (?:in|after) /;
const within = "  ";

export function toldByLog(printed: string): ShownFacts {
  const facts: string[] = [];
  let call = -1;
  let open: "asked" | "you" | "said" | undefined;
  // The first line names the agent of the session.
  for (const line of printed.trimEnd().split("\n").slice(1)) {
    const [, indent = "", mark = "", words = ""] = /^( *)([>│●?✓✗±·!↻⇄◌] )?(.*)$/.exec(line) ?? [];
    const more = (kind: "you" | "said"): void => {
      if (open === kind) facts.push(`${facts.pop()} ${words}`);
      else facts.push(`${indent}${kind}: ${words}`);
      open = kind;
    };
    switch (mark.trim()) {
      case ">":
        more("you");
        continue;
      case "│":
        facts.push(`${indent}thought: ${words}`);
        break;
      case "●":
        call = facts.push(`${indent}tool: ${words}`) - 1;
        break;
      case "?":
        facts.push(`asked: ${words.replace(/^Allow: /, "")}`);
        open = "asked";
        continue;
      case "✓":
      case "✗":
        if (open === "asked") facts.push(`${facts.pop()} · ${words}`);
        else facts[call] += ` · ${words}`;
        break;
      case "±":
        facts.splice(call + 1, 0, within + words);
        break;
      case "":
        if (endings.test(words)) facts.push(`end: ${words}`);
        else {
          more("said");
          continue;
        }
        break;
      default:
        facts.push(words.startsWith("plan: ") ? words : noteOf(words));
    }
    open = undefined;
  }
  return { facts: facts.map(plain), diff: [] };
}

export function toldByMarkdown(text: string): ShownFacts {
  const told: ShownFacts = { facts: [], diff: [] };
  read(text.slice(text.indexOf("## You")), "", told);
  return { ...told, facts: told.facts.map(plain) };
}

function read(text: string, indent: string, told: ShownFacts): void {
  let next: "you" | "thought" | "said" = "said";
  for (const block of blocksOf(text)) {
    const words = block.replaceAll(/\\(?=\W)/g, "");
    const tell = (fact: string): void => void told.facts.push(indent + fact);
    if (words === "## You" || words === "**You:**") next = "you";
    else if (words === "*Thought:*") next = "thought";
    else if (block.startsWith(">")) {
      const inner = block.replaceAll(/^> ?/gm, "");
      if (/^(?:>|\*\*[✓✗●])/.test(inner)) read(inner, indent + within, told);
      else tell(`${next}: ${inner.replaceAll(/\n+(?:- )?/g, " ")}`);
      next = "said";
    } else if (block.startsWith("- [")) tell(planOf(words));
    else if (block.startsWith("```diff")) told.diff.push(...block.split("\n").slice(1, -1).filter(isContent));
    else if (words.startsWith("**")) {
      const [, mark, title, end = ""] = /^\*\*(.) (.*?)( · .*)?\*\*$/s.exec(words) ?? [];
      tell(`tool: ${title}${mark === "✗" ? end : ""}`);
    } else if (words.startsWith("*")) tell(`end: ${words.slice(1, -1)}`);
    else if (words.startsWith("± ")) tell(within + words.slice(2));
    else if (words.startsWith("? ")) tell(`asked: ${words.slice(2).replace(/^Allow: /, "")}`);
    else if (!/^(?:```|## )/.test(words)) tell(noteOf(words.slice(2)));
  }
}

/** The page capitalises the first letter of a standalone note. */
export const noteOf = (words: string): string => `note: ${words.charAt(0).toUpperCase()}${words.slice(1)}`;

/** Splits at empty lines; a code fence is one block whatever it contains. */
function blocksOf(text: string): string[] {
  return (
    text
      .match(/^```[^]*?^```$|^(?!```)[^]*?(?=\n\n|\n?$(?![^]))/gm)
      ?.map((block) => block.trim())
      .filter(Boolean) ?? []
  );
}

function planOf(list: string): string {
  const entries = list.split("\n");
  const done = entries.filter((entry) => entry.startsWith("- [x]")).length;
  const now = entries.find((entry) => entry.endsWith(" (now)"))?.slice("- [ ] ".length, -" (now)".length);
  return `plan: ${done} of ${entries.length} done${now === undefined ? "" : `, now ${now}`}`;
}

/** Diff header lines only repeat the file name. */
const isContent = (line: string): boolean => !/^(?:---|\+\+\+|@@)/.test(line);

/** Removes Markdown marks, which are not part of the content. */
function plain(fact: string): string {
  return /^ *said: /.test(fact) ? fact.replaceAll(/\*\*|`/g, "").replaceAll(/(?<=\S) +(?:- )?/g, " ") : fact;
}
