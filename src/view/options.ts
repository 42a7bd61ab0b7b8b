export interface RenderOptions {
  /** Also what the agent thought. Default: no. */
  readonly thoughts?: boolean | undefined;
  /** How many lines of a tool's output, or of a diff, are shown. Default: 20. */
  readonly outputLines?: number | undefined;
}

/** The beginning of a text, and how many lines are missing. */
export function firstLines(text: string, options: RenderOptions): string {
  const most = options.outputLines ?? 20;
  const lines = text.replace(/\n+$/, "").split("\n");
  if (lines.length <= most) return lines.join("\n");
  const more = lines.length - most;
  return [...lines.slice(0, most), `… ${more} more ${more === 1 ? "line" : "lines"}`].join("\n");
}
