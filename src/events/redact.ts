/** Takes secrets out of everything that is shown, stored or recorded. */
import { suspicion } from "./redact/beginnings.ts";
import { createDeep } from "./redact/deep.ts";
import { shapeFinder } from "./redact/shapes.ts";
import { createStream, lookbehind, replaceAll } from "./redact/stream.ts";
import type { Stream } from "./redact/stream.ts";
import { secretValues, valueFinder } from "./redact/values.ts";

export interface Redactor {
  (text: string): string;
  /** The same for every text, and every key, in a JSON value: a copy where something was found, else the value itself. */
  deep<Value>(value: Value): Value;
  /** The same for one text that comes in pieces. */
  stream(): StreamRedactor;
}

/**
 * What it gives back adds up to the redacted whole. It keeps back only an end that may be the beginning of a secret, so
 * pushing the first part of a text and never flushing is the safe way to redact a text that is going to be cut.
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
    /** Made when there is something to look at: most texts have nothing in them. */
    let stages: Stream[] | undefined;
    let idle = true;
    /** The last characters of what was pushed, for what looks back. */
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
