export type { Block, Look } from "./block.ts";
export { diffLines } from "./diff-lines.ts";
export { markdownLines } from "./markdown.ts";
export { fieldLines, inputLines } from "./tool.ts";
export { isReadingId, readingId, Transcript } from "./transcript.ts";
