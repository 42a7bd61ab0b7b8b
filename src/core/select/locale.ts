/** The language of the answers: requested as a tag such as `de` or `pt-BR`, passed to the agent as a sentence in its system prompt. */
import type { Agent, OpenOptions } from "../../agents/contract.ts";
import type { Capabilities } from "../../events/capabilities.ts";
import { ReinsError } from "../../events/errors.ts";
import type { SessionOptions } from "../api.ts";

/** Adds the language to the system prompt, if the agent accepts one. */
export function withLocale({ capabilities }: Agent, options: SessionOptions): SessionOptions {
  if (options.locale === undefined) return options;
  const sentence = localeSentence(options.locale);
  const systemPrompt = promptWith(sentence, options.systemPrompt, capabilities);
  return systemPrompt === undefined ? options : { ...options, systemPrompt };
}

export function takesLocale({ capabilities }: Agent, { systemPrompt }: SessionOptions): boolean {
  return promptWith("", systemPrompt, capabilities) !== undefined;
}

/** Returns a sentence such as "Answer in German (de)." Throws `invalid_input` for an unknown language. */
export function localeSentence(tag: string): string {
  const [canonical] = canonicalOf(tag);
  const name = canonical && new Intl.DisplayNames("en", { type: "language", fallback: "none" }).of(canonical);
  if (canonical !== undefined && name !== undefined && !canonical.startsWith("und"))
    return `Answer in ${name} (${canonical}).`;
  throw new ReinsError("invalid_input", `"${tag}" is not the tag of a language.`, {
    help: "Write it as in BCP 47, such as de or pt-BR.",
  });
}

function canonicalOf(tag: string): readonly string[] {
  try {
    return Intl.getCanonicalLocales(tag);
  } catch {
    return [];
  }
}

/** Appends the sentence to the caller's system prompt, otherwise to the agent's own. */
function promptWith(
  sentence: string,
  given: OpenOptions["systemPrompt"],
  { systemPrompt: can }: Capabilities,
): OpenOptions["systemPrompt"] {
  if (given !== undefined && can.includes(given.how)) return { ...given, text: `${given.text}\n\n${sentence}` };
  return can.includes("append") ? { text: sentence, how: "append" } : undefined;
}
