/** What a prompt to the demo agent may say. `parse` is pure; `help.ts` explains the same to people. */
import { firstWord, splitSteps, splitWords, unquote } from "./words.ts";

export type Step =
  | { readonly do: "list" }
  | { readonly do: "read"; readonly path: string }
  | { readonly do: "write"; readonly path: string; readonly text: string }
  | { readonly do: "edit"; readonly path: string; readonly from: string; readonly to: string }
  | { readonly do: "run"; readonly command: string }
  | { readonly do: "ask"; readonly question: string }
  | { readonly do: "plan" }
  | { readonly do: "think"; readonly text: string }
  | { readonly do: "say"; readonly text: string }
  | { readonly do: "sleep"; readonly ms: number }
  | { readonly do: "stream"; readonly count: number }
  | { readonly do: "big"; readonly bytes: number }
  | { readonly do: "subagent"; readonly steps: readonly Step[]; readonly text: string }
  | { readonly do: "background"; readonly ms: number }
  | { readonly do: "fail"; readonly code: string }
  | { readonly do: "help" }
  /** Stands among steps and is none. */
  | { readonly do: "unknown"; readonly text: string };

export type StepOf<Name extends Step["do"]> = Extract<Step, { do: Name }>;

/** Longer waits than this do not fit into a timer. */
const maxMs = 2 ** 31 - 1;

/** The steps of a prompt; undefined when none of it is a step, which means the tour. */
export function parse(text: string): readonly Step[] | undefined {
  const steps = splitSteps(text).map((part): Step => parseStep(part) ?? { do: "unknown", text: part });
  return steps.some((step) => step.do !== "unknown") ? steps : undefined;
}

function parseStep(part: string): Step | undefined {
  const { word, rest } = firstWord(part);
  switch (word) {
    case "list":
    case "plan":
    case "help":
      return rest === "" ? { do: word } : undefined;
    case "read": {
      const file = firstWord(rest);
      return file.word !== "" && file.rest === "" ? { do: word, path: file.word } : undefined;
    }
    case "write": {
      const file = firstWord(rest);
      return file.word !== "" ? { do: word, path: file.word, text: unquote(file.rest) } : undefined;
    }
    case "edit":
      return parseEdit(firstWord(rest));
    case "run":
      return splitWords(rest)[0] ? { do: word, command: rest } : undefined;
    case "ask":
      return rest !== "" ? { do: word, question: unquote(rest) } : undefined;
    case "think":
    case "say":
      return rest !== "" ? { do: word, text: unquote(rest) } : undefined;
    case "sleep":
    case "background": {
      const ms = wholeNumber(rest);
      return ms !== undefined ? { do: word, ms: Math.min(ms, maxMs) } : undefined;
    }
    case "stream": {
      const count = wholeNumber(rest);
      return count !== undefined ? { do: word, count } : undefined;
    }
    case "big": {
      const bytes = wholeNumber(rest);
      return bytes !== undefined ? { do: word, bytes } : undefined;
    }
    case "subagent": {
      const inner = unquote(rest);
      const steps = parse(inner);
      return steps !== undefined ? { do: word, steps, text: inner } : undefined;
    }
    case "fail":
      return rest !== "" && firstWord(rest).rest === "" ? { do: word, code: rest } : undefined;
    default:
      return undefined;
  }
}

function parseEdit(file: { word: string; rest: string }): Step | undefined {
  if (file.word === "") return undefined;
  const quoted = /^["']/.test(file.rest) ? firstWord(file.rest) : undefined;
  if (quoted?.rest.startsWith("->")) {
    return { do: "edit", path: file.word, from: quoted.word, to: unquote(quoted.rest.slice(2).trim()) };
  }
  const arrow = /^(.+?)\s+->(?:\s+(.*))?$/s.exec(file.rest);
  return arrow ? { do: "edit", path: file.word, from: arrow[1] as string, to: unquote(arrow[2] ?? "") } : undefined;
}

function wholeNumber(text: string): number | undefined {
  return /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}
