/** The words of a text: long lists of names are written as one. */
export function words(text: string): string[] {
  return text.trim().split(/\s+/);
}
