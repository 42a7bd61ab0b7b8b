export function markdownPart(n: number): string;
export function streamedText(at: number): string;
