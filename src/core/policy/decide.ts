/** The rules' word on a call: the first that matches each part of it, and of these the strictest. Pure. */
import type { Tool } from "../../events/tools.ts";
import type { Compiled, Side } from "./compile.ts";
import { starsOf, unknown, type Asked } from "./pattern.ts";
import type { Decision, SourcedRule } from "./rule.ts";
import type { Word } from "./shell/types.ts";
import { nameOf } from "./shell/unwrap.ts";
import type { Part, Subject } from "./subject.ts";
import { none } from "./trie.ts";

export interface Verdict extends SourcedRule {
  readonly decision: Decision;
  /** From 1. */
  readonly number: number;
  readonly what: string;
}

/** Undefined: no rule says anything about all of it, and nothing in it is denied or asked about. */
export function decide(compiled: Compiled, { tool, parts, dynamic }: Subject): Verdict | undefined {
  const verdicts: (Verdict | undefined)[] = [];
  for (const part of parts) {
    const number = firstFor(compiled, tool, part, dynamic);
    const found = number === none ? undefined : verdictOf(compiled, number, part.what);
    if (!("mention" in part && part.mention) || (found !== undefined && found.decision !== "allow"))
      verdicts.push(found);
  }
  if (dynamic) {
    const number = compiled.dynamic();
    if (number !== none) verdicts.push(verdictOf(compiled, number, "a command that cannot be known before it runs"));
  }
  return (
    verdicts.find((verdict) => verdict?.decision === "deny") ??
    verdicts.find((verdict) => verdict?.decision === "ask") ??
    (verdicts.every((verdict) => verdict?.decision === "allow") && !dynamic ? verdicts[0] : undefined)
  );
}

function verdictOf(compiled: Compiled, index: number, what: string): Verdict {
  const sourced = compiled.rules[index]!;
  return { ...sourced, decision: sourced.rule.decision, number: index + 1, what };
}

function firstFor(compiled: Compiled, tool: Tool, part: Part, dynamic: boolean): number {
  const allowed = dynamic ? none : firstOn(compiled, "allow", tool, part);
  return Math.min(allowed, firstOn(compiled, "narrow", tool, part));
}

function firstOn(compiled: Compiled, side: Side, tool: Tool, part: Part): number {
  const narrow = side === "narrow";
  switch (part.kind) {
    case "call":
      // What it is about is not known: it may be what a rule is there to keep it from.
      return !narrow && compiled.narrowsSome(tool) ? none : compiled.bare(side, tool);
    case "path": {
      const about = (which: Tool) =>
        compiled.first(side, which, "path", (trie) =>
          narrow ? Math.min(trie.firstBeginning(part.real), trie.firstBeginning(part.written)) : trie.first(part.real),
        );
      // Of what a command does to files, rules about the command say something, and rules about the tool that would do the same.
      if (tool === "shell")
        return Math.min(about("shell"), part.tool === "shell" ? none : bareAnd(about, compiled, side, part.tool));
      return bareAnd(about, compiled, side, tool);
    }
    case "command": {
      const asked = askedWords(part.words, narrow);
      const found = compiled.first(side, tool, "command", (trie) => {
        if (!narrow) return trie.first(asked);
        // Wherever the program lies: /bin/rm is rm, and where files are found in any case so is RM.
        const [first] = asked;
        const name = typeof first === "string" ? nameIn(first, compiled.scope.folds) : undefined;
        const plain = name === undefined || name === asked[0] ? none : trie.firstBeginning([name, ...asked.slice(1)]);
        return Math.min(plain, trie.firstBeginning(asked));
      });
      return Math.min(found, compiled.bare(side, tool));
    }
    case "mcp": {
      const found = compiled.first(side, tool, "mcp", (trie) =>
        narrow
          ? Math.min(...cuts(part.server, part.tool).map((asked) => trie.firstBeginning(asked)))
          : trie.first([part.server, part.tool]),
      );
      return Math.min(found, compiled.bare(side, tool));
    }
    case "domain": {
      const asked = part.host.split(".").toReversed();
      const found = compiled.first(side, tool, "domain", (trie) =>
        narrow ? trie.firstBeginning(asked) : trie.first(asked),
      );
      return part.mention ? found : Math.min(found, compiled.bare(side, tool));
    }
  }
}

function bareAnd(about: (tool: Tool) => number, compiled: Compiled, side: Side, tool: Tool): number {
  return Math.min(about(tool), compiled.bare(side, tool));
}

function nameIn(program: string, folds = false): string {
  return folds ? nameOf(program).toLowerCase() : nameOf(program);
}

/** Agents put `__` between a server and its tool: where a name has that too, nobody can tell where the server ends. */
function cuts(server: string, tool: string): readonly (readonly [string, string])[] {
  const pieces = `${server}__${tool}`.split("__");
  if (pieces.length > 16) return [[server, tool]];
  return pieces.slice(1).map((_, at) => [pieces.slice(0, at + 1).join("__"), pieces.slice(at + 1).join("__")] as const);
}

/** What stands for names of files may come to something that is denied, and never surely to something that is allowed. */
function askedWords(words: readonly Word[], narrow: boolean): readonly Asked[] {
  return words.map(({ text, dynamic, glob }) => (dynamic ? unknown : glob ? (narrow ? starsOf(text) : unknown) : text));
}
