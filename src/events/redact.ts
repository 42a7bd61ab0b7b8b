/** Removes secrets from everything that is shown, stored or recorded. */
import { suspicion } from "./redact/beginnings.ts";
import { createDeep } from "./redact/deep.ts";
import { shapeFinder } from "./redact/shapes.ts";
import { createStream, lookbehind, replaceAll, type Stream } from "./redact/stream.ts";
import { secretValues, valueFinder } from "./redact/values.ts";

export interface Redactor {
  (text: string): string;
  /** Redacts every text and key of a JSON value. Copies only where something was found. */
  deep<Value>(value: Value): Value;
  /** Redacts a text that comes in pieces. */
  stream(): StreamRedactor;
}

/**
 * The results add up to the redacted text. Only an end that may be the beginning of a secret is held back, so a text that will be cut is
 * redacted safely by pushing its first part without a flush.
 */
export interface StreamRedactor {
  push(text: string): string;
  flush(): string;
}

export function createRedactor(env: Readonly<Record<string, string | undefined>>): Redactor {
  const finders = [valueFinder(secretValues(env)), shapeFinder].filter((finder) => finder !== undefined);
  const suspect = suspicion(finders.flatMap((finder) => finder.beginnings));

  const redact = (text: string): string =>
    suspect.within(text) ? finders.reduce((rest, finder) => replaceAll(finder, rest), text) : text;

  const stream = (): StreamRedactor => {
    /** Created when needed: most texts contain nothing. */
    let stages: Stream[] | undefined;
    let idle = true;
    /** The last pushed characters, for lookbehind. */
    let before = "";
    return {
      push(text) {
        const known = before;
        before = (text.length < lookbehind ? before + text : text).slice(-lookbehind);
        if (idle && !suspect.within(text) && !suspect.atEnd(text, known)) {
          for (const stage of stages ?? []) stage.pass(text);
          return text;
        }
        stages ??= finders.map((finder) => createStream(finder, known));
        const shown = stages.reduce((rest, stage) => stage.push(rest), text);
        idle = stages.every((stage) => stage.idle);
        return shown;
      },
      flush() {
        if (idle || stages === undefined) return "";
        idle = true;
        return stages.reduce((rest, stage) => stage.push(rest) + stage.flush(), "");
      },
    };
  };

  return Object.assign(redact, { deep: createDeep(redact), stream });
}
