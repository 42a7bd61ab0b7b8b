/** Splits a text at whitespace, so that a long list of names can be written as one string. */
export function words(text: string): string[] {
  return text.trim().split(/\s+/);
}
