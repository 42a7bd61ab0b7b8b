/** Removes secrets from everything that Reins shows, stores or records. */
import { suspicion } from "./redact/beginnings.ts";
import { createDeep } from "./redact/deep.ts";
import { shapeFinder } from "./redact/shapes.ts";
import { createStream, lookbehind, replaceAll, type Stream } from "./redact/stream.ts";
import { secretValues, valueFinder } from "./redact/values.ts";

/** Replaces secrets with `[redacted]`: values of secret environment variables, and texts that look like keys, tokens or passwords. */
export interface Redactor {
  /** Redacts one text. */
  (text: string): string;
  /** Redacts every string and key in a JSON value. Copies only objects that contain a secret. */
  deep<Value>(value: Value): Value;
  /** Redacts a text that arrives in pieces. */
  stream(): StreamRedactor;
}

/**
 * The pieces that it returns add up to the redacted text. It holds back only an end that may be the start of a
 * secret, so to redact a text that will be cut, push its first part and do not flush.
 */
export interface StreamRedactor {
  push(text: string): string;
  flush(): string;
}

/** The environment supplies the secret values, by variable name (`*KEY*`, `*TOKEN*`, `*SECRET*`, `*PASSWORD*`). */
export function createRedactor(env: Readonly<Record<string, string | undefined>>): Redactor {
  const finders = [valueFinder(secretValues(env)), shapeFinder].filter((finder) => finder !== undefined);
  const suspect = suspicion(finders.flatMap((finder) => finder.beginnings));

  const redact = (text: string): string =>
    suspect.within(text) ? finders.reduce((rest, finder) => replaceAll(finder, rest), text) : text;

  const stream = (): StreamRedactor => {
    /** Created on first use: most texts contain nothing to redact. */
    let stages: Stream[] | undefined;
    let idle = true;
    /** The last pushed characters, for the lookbehind of the patterns. */
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
