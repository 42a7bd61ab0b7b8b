/** Takes secrets out of text. */
export interface Redactor {
  (text: string): string;
}
