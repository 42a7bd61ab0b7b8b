/** Finds the decision of the rules about a call: for each part of the call the first matching rule, and of those the strictest. Pure. */
import type { Tool } from "../../events/tools.ts";
import type { Compiled, Side } from "./compile.ts";
import { starsOf, unknown, type Asked } from "./pattern.ts";
import type { Decision, SourcedRule } from "./rule.ts";
import type { Word } from "./shell/types.ts";
import { nameOf } from "./shell/unwrap.ts";
import type { Part, Subject } from "./subject.ts";
import { none } from "./trie.ts";

/** The rule that decides about a call. */
export interface Verdict extends SourcedRule {
  readonly decision: Decision;
  /** Number of the rule, from 1. */
  readonly number: number;
  /** The part of the call that the rule matched. */
  readonly what: string;
}

/** Undefined when no rule covers the whole call and none denies or asks about a part of it. */
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
      // The call's target is unknown and may be what another rule restricts, so a bare allow rule does not apply.
      return !narrow && compiled.narrowsSome(tool) ? none : compiled.bare(side, tool);
    case "path": {
      const about = (which: Tool) =>
        compiled.first(side, which, "path", (trie) =>
          narrow ? Math.min(trie.firstBeginning(part.real), trie.firstBeginning(part.written)) : trie.first(part.real),
        );
      // A file that a command reads or changes is checked against the shell rules and against the rules of the matching tool, such as edit.
      if (tool === "shell")
        return Math.min(about("shell"), part.tool === "shell" ? none : bareAnd(about, compiled, side, part.tool));
      return bareAnd(about, compiled, side, tool);
    }
    case "command": {
      const asked = askedWords(part.words, narrow);
      const found = compiled.first(side, tool, "command", (trie) => {
        if (!narrow) return trie.first(asked);
        // Match the program by name wherever it is: /bin/rm is rm, and on a case-insensitive file system RM is too.
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

/** Agents join server and tool with `__`. A name that contains `__` itself is ambiguous, so try every split. */
function cuts(server: string, tool: string): readonly (readonly [string, string])[] {
  const pieces = `${server}__${tool}`.split("__");
  if (pieces.length > 16) return [[server, tool]];
  return pieces.slice(1).map((_, at) => [pieces.slice(0, at + 1).join("__"), pieces.slice(at + 1).join("__")] as const);
}

/** A file name pattern may expand to something denied, but never certainly to something allowed. */
function askedWords(words: readonly Word[], narrow: boolean): readonly Asked[] {
  return words.map(({ text, dynamic, glob }) => (dynamic ? unknown : glob ? (narrow ? starsOf(text) : unknown) : text));
}
