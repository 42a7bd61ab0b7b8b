/** The language an agent answers in: asked for as a tag such as `de` or `pt-BR`, told to the agent in one sentence of its system prompt. */
import type { Agent, OpenOptions } from "../../agents/contract.ts";
import type { Capabilities } from "../../events/capabilities.ts";
import { ReinsError } from "../../events/errors.ts";
import type { SessionOptions } from "../api.ts";

/** The same options, with the language in the system prompt where the agent can be told it there. */
export function withLocale({ capabilities }: Agent, options: SessionOptions): SessionOptions {
  if (options.locale === undefined) return options;
  const sentence = localeSentence(options.locale);
  const systemPrompt = promptWith(sentence, options.systemPrompt, capabilities);
  return systemPrompt === undefined ? options : { ...options, systemPrompt };
}

export function takesLocale({ capabilities }: Agent, { systemPrompt }: SessionOptions): boolean {
  return promptWith("", systemPrompt, capabilities) !== undefined;
}

/** "Answer in German (de)." Throws `invalid_input` for what is no language. */
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

/** Instead of the agent's own prompt it stands at the end of the caller's, else it is appended to the agent's. */
function promptWith(
  sentence: string,
  given: OpenOptions["systemPrompt"],
  { systemPrompt: can }: Capabilities,
): OpenOptions["systemPrompt"] {
  if (given !== undefined && can.includes(given.how)) return { ...given, text: `${given.text}\n\n${sentence}` };
  return can.includes("append") ? { text: sentence, how: "append" } : undefined;
}
