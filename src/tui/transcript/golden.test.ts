/** The terminal shows the same facts as the page, `reins log` and the exports (`test/browser/golden.test.ts`). */
import { expect, test } from "vitest";
import { noteOf, type ShownFacts } from "../../../test/browser/support/facts-in-text.ts";
import { goldenDiff, goldenEvents, goldenStory } from "../../../test/support/golden-session.ts";
import { look, rowsOfBlocks } from "../../../test/support/transcript.ts";
import { conversation } from "../../view/conversation.ts";
import { Transcript, type Block } from "./index.ts";

/** Too narrow for side-by-side diffs. */
const width = 100;

test.each([
  ["full", true],
  ["inline", false],
])("shows the golden log in the %s screen with everything open", (_screen, foldTurns) => {
  const events = goldenEvents("ses_golden", "/work");
  const blocks = new Transcript(conversation(events)).blocks(look({ width, expandAll: true, foldTurns }));
  expect(toldByTerminal(blocks)).toEqual({ facts: goldenStory, diff: goldenDiff });
});

function toldByTerminal(blocks: readonly Block[]): ShownFacts {
  const told: ShownFacts = { facts: [], diff: [] };
  const tell = (fact: string): void => void told.facts.push(fact);
  /** The line above the steps of a finished turn counts them; the outcome of the turn is below them. */
  let worked: { readonly words: string; readonly entry: number } | undefined;
  const tellWorked = (): void => {
    if (worked !== undefined) tell(`end: ${doneWords(worked.words)}`);
    worked = undefined;
  };
  for (const block of blocks) {
    const rows = rowsOfBlocks([block], width).filter((row) => row.trim() !== "");
    const words = rows.map((row) => row.replace(/^ *(?:[❯▾✓✗!↻⇄?·•] )? */, ""));
    const [first = "", ...rest] = words;
    if (worked !== undefined && worked.entry !== block.entry) tellWorked();
    switch (block.kind) {
      case "prompt":
        tell(`you: ${words.filter((line) => line !== "added while running").join(" ")}`);
        break;
      case "thought":
        tell(`thought: ${rest.join(" ")}`);
        break;
      case "message":
        tell(`said: ${words.join(" ")}`);
        break;
      case "plan":
        tell(first);
        break;
      case "tool":
        tellTool(rows, told);
        break;
      case "permission":
        tell(`asked: ${byPerson(first.replace(/^Allow: /, ""))}`);
        break;
      case "question":
        tell(`asked: ${first} · ${byPerson(rest.join(" ").replace(/^→ /, ""))}`);
        break;
      case "notice":
        tell(noteOf(first));
        break;
      case "turn":
        worked = { words: first, entry: block.entry };
        break;
      case "end": {
        const counts = worked?.words.replace(/^Worked [^·]*[^ ·]/, "") ?? "";
        tell(`end: ${[doneWords(first) + counts, ...rest].join(": ")}`);
        worked = undefined;
        break;
      }
      default:
        throw new Error(`Nobody expected a block ${block.kind}: ${first}`);
    }
  }
  tellWorked();
  return told;
}

/** The row of a call, its file changes, and the items of its subagent. */
function tellTool(rows: readonly string[], { facts, diff }: ShownFacts): void {
  for (const row of rows) {
    const [, line, mark, words = ""] = /^( {2}│ )?(?:([✓✗]) |(?! ))(.*)$/.exec(row) ?? [];
    const indent = line === undefined ? "" : "  ";
    const [, change] = /^ {2}± (.*)$/.exec(row) ?? [];
    const [, sign, content] = /^ {2}\d+ ([-+ ]) (.*)$/.exec(row) ?? [];
    if (mark !== undefined) facts.push(`${indent}tool: ${mark === "✓" ? words.split(" · ")[0] : failure(words)}`);
    else if (change !== undefined) facts.push(`  ${change}`);
    else if (content !== undefined) diff.push(`${sign}${content}`);
    else if (line !== undefined && words !== "") facts.push(`${indent}said: ${words}`);
  }
}

/** Removes line counts and durations. */
const failure = (words: string): string => words.replace(/ · \+\d+ −\d+/, "").replace(/ · \d+ ms$/, "");
/** The terminal addresses the person who answered. */
const byPerson = (words: string): string => words.replace(/ by you(?=$|:)/, " by person");
const doneWords = (words: string): string => words.replace(/^Worked /, "done in ");
